/* Colours of any notation, as light as people see them: what is written on one must be readable. */

const DARK = "#1c1206";
const LIGHT = "#fffaf0";
const ENOUGH = 4.5; /* WCAG 2, AA */

/* Dark or light ink for a background; black or white where those would be too faint. */
export function inkOn(background) {
    const [dark, light] = [DARK, LIGHT].map((ink) => contrast(ink, background));
    const [ink, has] = dark > light ? [DARK, dark] : [LIGHT, light];
    if (has >= ENOUGH) return ink;
    return contrast("#000000", background) > contrast("#ffffff", background) ? "#000000" : "#ffffff";
}

export function contrast(one, other) {
    const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
}

export function isLight(colour) {
    const [red, green, blue] = channels(colour);
    return 0.3 * red + 0.59 * green + 0.11 * blue > 140;
}

function luminance(colour) {
    const [red, green, blue] = channels(colour).map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const known = new Map();

function channels(colour) {
    if (!known.has(colour)) known.set(colour, read(colour));
    return known.get(colour);
}

function read(colour) {
    const context = document.createElement("canvas").getContext("2d");
    context.fillStyle = colour;
    const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(context.fillStyle);
    return hex ? hex.slice(1).map((part) => parseInt(part, 16)) : [255, 255, 255];
}
