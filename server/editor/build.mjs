// Bundles entry.js into the one file that is committed: `npm ci && npm run build`. The same versions (package-lock.json)
// give the same bytes; tests/browser/editor_bundle.test.mjs holds that.
//
//     node build.mjs FILE.js      writes FILE.js, and beside it FILE.licences.txt
import {build} from 'esbuild';
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const banner = '/* CodeMirror, Lezer, style-mod, w3c-keyname, crelt and jsonc-parser, all under the MIT licence: see editor.licences.txt.\n * Made by server/editor; not to be edited. */';

const [target] = process.argv.slice(2);
if (!target) throw new Error('usage: node build.mjs FILE.js');

const {metafile} = await build({
    absWorkingDir: here,
    entryPoints: ['entry.js'],
    outfile: join(process.cwd(), target),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    mainFields: ['module', 'main'], // jsonc-parser's "main" is UMD, which does not bundle
    banner: {js: banner},
    metafile: true,
});

const packages = new Set(
    Object.keys(metafile.inputs)
        .map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
        .filter(Boolean),
);
writeFileSync(join(process.cwd(), target.replace(/\.js$/, '.licences.txt')), [...packages].sort().map(licence).join('\n'));

function licence(name) {
    const folder = join(here, 'node_modules', name);
    const {version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find(entry => /^licen[sc]e/i.test(entry));
    if (!file || license !== 'MIT') throw new Error(`${name} ${version}: look at its licence`);
    return `==== ${name} ${version} ====\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
