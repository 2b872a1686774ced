// The one file of the page that is built: from the versions that are locked it comes out byte for byte as committed.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const editor = fileURLToPath(new URL('../../server/editor', import.meta.url));
const committed = fileURLToPath(new URL('../../server/web/make', import.meta.url));

test('the editor is what its sources make, its licences with it', () => {
    assert.ok(existsSync(join(editor, 'node_modules')), 'npm ci in server/editor first (tests/run npm)');
    const folder = mkdtempSync(join(tmpdir(), 'senet-editor-'));
    try {
        execFileSync('node', [join(editor, 'build.mjs'), 'editor.js'], {cwd: folder});
        for (const name of ['editor.js', 'editor.licences.txt']) {
            const same = readFileSync(join(folder, name)).equals(readFileSync(join(committed, name)));
            assert.ok(same, `server/web/make/${name} is not what server/editor makes: npm run build there`);
        }
    } finally {
        rmSync(folder, {recursive: true});
    }
});
