// One attack in a process of its own, so that what it costs is not the measured side's: node attacker.mjs NAME, and its
// options as JSON. Prints what it was answered as JSON.
import {attacks} from './attacks.mjs';

const [name, options] = process.argv.slice(2);
const {seconds, ...rest} = JSON.parse(options);
const got = await attacks[name].run({...rest, until: Date.now() + seconds * 1000});
process.stdout.write(JSON.stringify(got), () => process.exit(0));
