/* Who answers questions about a game: the engine in this browser, or the server where there is none. The rest of the page does
 * not know which; `can.play` says whether there is more than diagnostics.
 *
 *   load(text)   {valid, diagnostics, game?, layout?, start?}; afterwards `ask` is about this game, when it is valid
 *   ask(request) one question of `senet engine` (server/cli/README.md): the answer, or an EngineRefusal */

import { fitDefinition } from "../definition_text.js";
import { startEngine as startWorker } from "../engine/engine.js";

const LOAD_MS = 5_000;

export class EngineRefusal extends Error {
    constructor({ message, ...rest }) {
        super(message);
        Object.assign(this, rest);
    }
}

export async function startEngine(connection) {
    const worker = await startWorker({ limit: LOAD_MS });
    return worker.status === "missing" ? new ServerEngine(connection) : new BrowserEngine(worker);
}

class BrowserEngine {
    can = { play: true };
    onRestart = () => {}; /* the game has to be loaded again */
    #worker;
    #loaded = null; /* {generation} of the last game that was loaded */

    constructor(worker) {
        this.#worker = worker;
    }

    async load(text) {
        const answer = await this.#worker.ask({ do: "game", text });
        const diagnostics = answer.findings ?? [];
        if (answer.error) return { valid: false, diagnostics: diagnostics.length > 0 ? diagnostics : [fault(answer.error.message)] };
        this.#loaded = { generation: this.#worker.generation };
        const { layout } = await this.ask({ do: "layout" });
        return { valid: true, diagnostics, game: answer.game, start: answer.state, layout };
    }

    /* An engine that had to be ended is there again without the game, and without the moves made in it. */
    async ask(request, options) {
        if (this.#loaded && this.#loaded.generation !== this.#worker.generation) {
            this.onRestart();
            throw new EngineRefusal({ code: "restarted", message: "The engine had to begin anew: try that again." });
        }
        const answer = await this.#worker.ask(request, options);
        if (answer.error) throw new EngineRefusal(answer.error);
        return answer;
    }
}

class ServerEngine {
    can = { play: false };

    constructor(connection) {
        this.connection = connection;
    }

    async load(text) {
        const sent = fitDefinition(text, this.connection.limits.definition_bytes ?? 16_384);
        if (sent.problem) return { valid: false, diagnostics: [fault(sent.problem)] };
        const { valid, diagnostics } = await this.connection.request({ type: "games", op: "validate", definition: sent.definition });
        return { valid, diagnostics: diagnostics.map(sent.locate) };
    }

    async ask() {
        throw new EngineRefusal({ code: "no_engine", message: "This needs the engine in the browser, which this server does not have." });
    }
}

function fault(message) {
    return { severity: "error", line: 0, column: 0, pointer: "", message, hint: "" };
}
