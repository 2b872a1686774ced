/* The text of a game: CodeMirror, set up for JSON and for our schema.
 *
 * It stands in a shadow root: its style sheets are made by script, which the content security policy forbids a document and
 * allows there. Colours are the page's own variables, so dark and light come by themselves. */

import { h } from "../dom.js";
import { say } from "../language.js";
import {
    autocompletion,
    bracketMatching,
    closeBrackets,
    closeBracketsKeymap,
    completionKeymap,
    Decoration,
    defaultKeymap,
    drawSelection,
    EditorSelection,
    EditorState,
    EditorView,
    highlightActiveLine,
    highlightActiveLineGutter,
    highlightSelectionMatches,
    HighlightStyle,
    history,
    historyKeymap,
    indentOnInput,
    indentUnit,
    json,
    jsonLanguage,
    keymap,
    lineNumbers,
    lintKeymap,
    openSearchPanel,
    redo,
    search,
    searchKeymap,
    setDiagnostics,
    StateEffect,
    StateField,
    syntaxHighlighting,
    tags,
    undo,
} from "./editor.js";
import { offsetOf, spanAt } from "./places.js";
import { completeFrom, hoverFrom } from "./schema_assist.js";
import { formatRange } from "./style_of.js";

export class TextEditor {
    #view;
    #extensions;
    #onChange;
    #onCursor;

    /* onChange(text): it is another text now. onCursor(offset): the cursor is elsewhere. words: SchemaWords. */
    constructor({ words, onChange, onCursor }) {
        this.#onChange = onChange;
        this.#onCursor = onCursor;
        this.#extensions = extensions(words, (update) => this.#updated(update));
        this.element = h("div", { class: "text-editor" });
        const root = this.element.attachShadow({ mode: "open" });
        this.#view = new EditorView({ state: this.#stateOf(""), parent: root, root });
    }

    get text() {
        return this.#view.state.doc.toString();
    }

    get cursor() {
        return this.#view.state.selection.main.head;
    }

    /* Another draft: with a history of its own. */
    open(text) {
        this.#view.setState(this.#stateOf(text));
    }

    focus() {
        this.#view.focus();
    }

    /* edits: as jsonc-parser gives them; one step to be undone. */
    edit(edits) {
        if (edits.length > 0) this.editAll([edits]);
    }

    /* Lists of edits, each of the text that the one before has left; all together one step to be undone. */
    editAll(steps) {
        const changes = (edits) => edits.map(({ offset, length, content }) => ({ from: offset, to: offset + length, insert: content }));
        this.#view.dispatch(...steps.map((edits, at) => ({ changes: changes(edits), sequential: at > 0, userEvent: "input.paint" })));
    }

    undo() {
        undo(this.#view);
    }

    redo() {
        redo(this.#view);
    }

    find() {
        openSearchPanel(this.#view);
    }

    /* What is selected, or the whole; lines that need no change keep theirs. */
    format() {
        formatView(this.#view);
    }

    /* diagnostics as the program says them. */
    show(diagnostics) {
        const text = this.text;
        const found = diagnostics
            .filter(({ line }) => line > 0)
            .map(({ line, column, severity, message, hint }) => ({
                ...spanAt(text, offsetOf(text, line, column)),
                severity: severity === "warning" ? "warning" : "error",
                message: hint ? `${message}\n${hint}` : message,
            }))
            .map((one) => ({ ...one, from: Math.min(one.from, text.length), to: Math.min(one.to, text.length) }));
        this.#view.dispatch(setDiagnostics(this.#view.state, found));
    }

    goTo(from, to = from) {
        const bound = this.#view.state.doc.length;
        const selection = EditorSelection.single(Math.min(from, bound), Math.min(to, bound));
        this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.main, { y: "center" }) });
        this.#view.focus();
    }

    /* Ranges {from, to, tone} that the board speaks of; the first is brought into sight, to the middle or by the shortest way ("nearest"). */
    mark(ranges, reveal = "center") {
        const bound = this.#view.state.doc.length;
        const marks = ranges.filter(({ from, to }) => from < to && to <= bound).sort((a, b) => a.from - b.from || a.to - b.to);
        const effects = [markEffect.of(marks)];
        if (ranges[0]) effects.push(EditorView.scrollIntoView(Math.min(ranges[0].from, bound), { y: reveal }));
        this.#view.dispatch({ effects });
    }

    #stateOf(doc) {
        return EditorState.create({ doc, extensions: this.#extensions });
    }

    #updated(update) {
        if (update.docChanged) this.#onChange(this.text);
        if (update.docChanged || update.selectionSet) this.#onCursor(this.cursor);
    }
}

const markEffect = StateEffect.define();

const markField = StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
        const set = transaction.effects.find((effect) => effect.is(markEffect));
        if (!set) return marks.map(transaction.changes);
        return Decoration.set(
            set.value.map(({ from, to, tone }) => Decoration.mark({ class: `spoken ${tone ?? ""}` }).range(from, to)),
            true,
        );
    },
    provide: (field) => EditorView.decorations.from(field),
});

function extensions(words, onUpdate) {
    return [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        search({ top: true }),
        json(),
        jsonLanguage.data.of({ autocomplete: completeFrom(words) }),
        autocompletion({ icons: false }),
        hoverFrom(words),
        markField,
        syntaxHighlighting(colours),
        theme,
        keymap.of([
            { key: "Shift-Alt-f", run: (view) => formatView(view) },
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...completionKeymap,
            ...lintKeymap,
        ]),
        EditorView.domEventHandlers({ beforeinput: typeText }),
        EditorView.contentAttributes.of({ "aria-label": say("The game's text (JSON)"), tabindex: "0" }),
        EditorView.updateListener.of(onUpdate),
    ];
}

function formatView(view) {
    const text = view.state.doc.toString();
    const { from, to, empty } = view.state.selection.main;
    const edits = formatRange(text, empty ? null : { offset: from, length: to - from });
    const changes = edits.map(({ offset, length, content }) => ({ from: offset, to: offset + length, insert: content }));
    if (changes.length > 0) view.dispatch({ changes, userEvent: "input.format" });
    return true;
}

/* Letters go straight into the editor's state. Left to the browser they would now and then come with an inline style of its own, which
 * the content security policy refuses and reports. */
function typeText(event, view) {
    if (event.inputType !== "insertText" || !event.data || view.composing || event.isComposing) return false;
    const { from, to } = view.state.selection.main;
    const insert = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    const taken = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, event.data, insert));
    if (!taken) view.dispatch(insert());
    event.preventDefault();
    return true;
}

const colours = HighlightStyle.define([
    { tag: tags.propertyName, color: "var(--accent)" },
    { tag: tags.string, color: "var(--good)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--gold)" },
    { tag: tags.invalid, color: "var(--danger)" },
]);

const theme = EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13.5px" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
    ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace', lineHeight: "1.5" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
    ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--soft)", border: "none" },
    ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
    ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--ink)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
        backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
    },
    ".cm-selectionMatch": { backgroundColor: "var(--accent-wash)" },
    "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--gold-wash)", outline: "1px solid var(--gold)" },
    ".cm-panels, .cm-tooltip": {
        backgroundColor: "var(--surface)",
        color: "var(--ink)",
        border: "1px solid var(--line)",
        fontFamily: "var(--sans)",
    },
    ".cm-tooltip": { borderRadius: "8px", boxShadow: "var(--shadow)", maxWidth: "min(30rem, 86vw)" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--sans)", fontSize: "14px", maxHeight: "16em" },
    ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
    ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
    ".cm-completionInfo": { padding: "8px 12px", maxWidth: "22rem" },
    ".cm-completionInfo p, .meaning p": { margin: "0" },
    ".meaning": { display: "grid", gap: "4px", padding: "8px 12px", fontSize: "14px", lineHeight: "1.4" },
    ".meaning .values": { color: "var(--gold)", fontSize: "13px", overflowWrap: "anywhere" },
    ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap" },
    ".cm-diagnostic-error": { borderLeft: "4px solid var(--danger)" },
    ".cm-diagnostic-warning": { borderLeft: "4px solid var(--gold)" },
    ".cm-lintRange-error": {
        backgroundImage: "none",
        textDecoration: "underline wavy var(--danger) 1.5px",
        textUnderlineOffset: "3px",
        backgroundColor: "color-mix(in srgb, var(--danger) 10%, transparent)",
    },
    ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--gold) 1.5px" },
    ".cm-searchMatch": { backgroundColor: "var(--gold-wash)", outline: "1px solid var(--gold)" },
    ".cm-panel.cm-search": { padding: "6px 8px" },
    ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { fontFamily: "var(--sans)", fontSize: "13px" },
    ".cm-textfield": { backgroundColor: "var(--ground)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "5px" },
    ".cm-button": { backgroundImage: "none", backgroundColor: "var(--sunken)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "5px" },
    ".spoken": { backgroundColor: "color-mix(in srgb, var(--good) 30%, transparent)", borderRadius: "3px" },
    ".spoken.forbids": { backgroundColor: "color-mix(in srgb, var(--danger) 30%, transparent)" },
    /* Where colours are the reader's own the text has theirs; what is marked in it keeps a colour behind it, and gets a line around it. */
    "@media (forced-colors: active)": {
        ".cm-line, .cm-line *": { forcedColorAdjust: "none", color: "CanvasText" },
        "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
            forcedColorAdjust: "none",
            backgroundColor: "color-mix(in srgb, Highlight 40%, Canvas)",
        },
        ".cm-tooltip-autocomplete > ul > li[aria-selected]": { forcedColorAdjust: "none", backgroundColor: "Highlight", color: "HighlightText" },
        ".spoken": { outline: "2px solid" },
        ".spoken.forbids": { outline: "2px dashed" },
    },
});
