// What a client does with a room's state, written from protocol/README.md alone: merge patches (RFC 7396) and the hash.

export function applyPatch(target, patch) {
    if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
    const result = target !== null && typeof target === 'object' && !Array.isArray(target) ? {...target} : {};
    for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete result[name];
        else result[name] = applyPatch(result[name], value);
    }
    return result;
}

export function canonicalText(value) {
    if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    const members = Object.keys(value).sort().map(name => `${JSON.stringify(name)}:${canonicalText(value[name])}`);
    return `{${members.join(',')}}`;
}

function fnv1a(text) {
    let hash = 0x811c9dc5;
    for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    return hash;
}

// One line per part: each cell, each seat, each other member.
function* linesOf(state) {
    for (const [member, value] of Object.entries(state)) {
        if (member === 'cells' || member === 'seats')
            for (const [name, part] of Object.entries(value)) yield `${member}.${name}=${canonicalText(part)}`;
        else yield `${member}=${canonicalText(value)}`;
    }
}

export function hashOf(state) {
    let sum = 0;
    for (const line of linesOf(state)) sum = (sum + fnv1a(line)) >>> 0;
    return sum.toString(16).padStart(8, '0');
}
