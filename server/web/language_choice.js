/* Which language the page speaks: the one that was chosen here, else the first of the browser's that there is. */

import { fileUrl } from "./files.js";

/* Each in its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", ar: "العربية" };
const KEY = "senet.language";

/* A browser may not let us look into its store (a page within another one). */
function remembered() {
    try {
        return localStorage.getItem(KEY);
    } catch {
        return null;
    }
}

function chosen(wanted) {
    const bases = wanted.map((tag) => `${tag}`.split("-")[0].toLowerCase());
    return bases.find((base) => Object.hasOwn(LANGUAGES, base)) ?? "en";
}

export const language = chosen([remembered(), ...(globalThis.navigator?.languages ?? [])]);
/* As a member of what asks for the list of games. */
export const languageMember = language === "en" ? {} : { language };
export const direction = language === "ar" ? "rtl" : "ltr";
/* Null: the texts in the code are English. */
export const catalogueUrl = language === "en" ? null : fileUrl(`/languages/${language}.json`);

/* The page is drawn anew: there is no text in it that could stay. */
export function choose(wanted) {
    localStorage.setItem(KEY, wanted);
    location.reload();
}
