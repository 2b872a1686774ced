/* Who answers questions about a game: the engine in this browser, or the server as long as there is none. A server that has just
 * begun may still be building the browser's engine: it is looked for again, and found while somebody writes.
 *
 *   load(text)   {valid, diagnostics, game?, layout?, coordinates?, start?}; afterwards `ask` is about this game, when it is valid
 *   ask(request) one question of `senet engine` (server/cli/README.md): the answer, or an EngineRefusal
 *   can.play     whether there is more than diagnostics, as far as is known: nobody waits for the engine but who asks it */

import { startEngine as startWorker } from "../engine/engine.js";
import { Bases } from "./bases.js";
import { fitDefinition } from "./definition_text.js";

const LOAD_MS = 5_000;
const LOOK_AGAIN_S = [2, 4, 8, 15, ...Array(40).fill(30)];

export class EngineRefusal extends Error {
    constructor({ message, ...rest }) {
        super(message);
        Object.assign(this, rest);
    }
}

export function startEngine(connection) {
    return new Engine(connection, startWorker({ limit: LOAD_MS }));
}

class Engine {
    onRestart = () => {}; /* the game has to be loaded again */
    #connection;
    #worker = null; /* still on its way */
    #coming;
    #bases = new Bases();
    #loaded = null; /* {generation} of the last game that was loaded */

    constructor(connection, coming) {
        this.#connection = connection;
        this.#coming = this.#begin(coming);
    }

    get can() {
        return { play: this.#worker?.status !== "missing" };
    }

    async #begin(coming) {
        this.#worker = await coming;
        if (!this.can.play) this.#lookAgain();
    }

    async #lookAgain() {
        for (const seconds of LOOK_AGAIN_S) {
            await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
            await this.#worker.restart().catch(() => {});
            if (this.can.play) return this.onRestart();
        }
        return undefined;
    }

    async load(text) {
        await this.#coming;
        return this.can.play ? this.#load(text) : this.#askServer(text);
    }

    /* An engine that had to be ended is there again without the game, and without the moves made in it. */
    async ask(request, options) {
        if (!this.can.play) throw new EngineRefusal({ code: "no_engine", message: "This needs the engine in the browser, which this server does not have." });
        if (!this.#loaded || this.#loaded.generation !== this.#worker.generation) {
            this.onRestart();
            throw new EngineRefusal({ code: "restarted", message: "The engine had to begin anew: try that again." });
        }
        return this.#ask(request, options);
    }

    async #load(text) {
        const answer = await this.#worker.ask({ do: "game", text, bases: await this.#bases.of(text) });
        const diagnostics = answer.findings ?? [];
        if (answer.error) return { valid: false, diagnostics: diagnostics.length > 0 ? diagnostics : [fault(answer.error.message)] };
        this.#loaded = { generation: this.#worker.generation };
        const { layout, coordinates } = await this.#ask({ do: "layout" });
        return { valid: true, diagnostics, game: answer.game, start: answer.state, layout, coordinates };
    }

    async #ask(request, options) {
        const answer = await this.#worker.ask(request, options);
        if (answer.error) throw new EngineRefusal(answer.error);
        return answer;
    }

    async #askServer(text) {
        const sent = fitDefinition(text, this.#connection.limits.definition_bytes ?? 16_384);
        if (sent.problem) return { valid: false, diagnostics: [fault(sent.problem)] };
        const { valid, diagnostics } = await this.#connection.request({ type: "games", op: "validate", definition: sent.definition });
        return { valid, diagnostics: diagnostics.map(sent.locate) };
    }
}

function fault(message) {
    return { severity: "error", line: 0, column: 0, pointer: "", message, hint: "" };
}
