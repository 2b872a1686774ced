/* Who answers questions about a game: the engine in this browser, or the server where there is none. The rest of the page does
 * not know which; `can.play` says whether there is more than diagnostics.
 *
 *   load(text)   {valid, diagnostics, game?, layout?, trouble?}; afterwards `ask` is about this game, when it is valid
 *   ask(request) one question of `senet engine` (server/cli/README.md): the answer, or an EngineRefusal */

import { fitDefinition } from "../definition_text.js";

export class EngineRefusal extends Error {
    constructor({ message, ...rest }) {
        super(message);
        Object.assign(this, rest);
    }
}

export async function startEngine(connection) {
    return new ServerEngine(connection);
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
