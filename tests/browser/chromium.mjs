// Which browser. Debian's headless shell is Chromium without the windows around the page: to the page it is the same, and it
// takes two thirds of the processor's time.
import {existsSync} from 'node:fs';

const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const executablePath = process.env.SENET_CHROMIUM ?? installed.find(path => existsSync(path));
// Pages speak English to it, whatever the machine speaks.
export const args = ['--no-sandbox', '--disable-gpu', '--lang=en-US'];
