/* What the page's modules import of the libraries, and no more: none of our code is here. */

export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
export { json, jsonLanguage } from "@codemirror/lang-json";
export { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { Annotation, Compartment, EditorSelection, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
export { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
export { tags } from "@lezer/highlight";
export { applyEdits, createScanner, findNodeAtLocation, findNodeAtOffset, format, getLocation, getNodePath, ParseErrorCode, parseTree } from "jsonc-parser";
