// A server seen from far away: all bytes arrive so much later, in order, in each direction.
import {createConnection, createServer} from 'node:net';

export async function farAway(server, wayMs) {
    const late = (from, to) => from.on('data', bytes => setTimeout(() => to.write(bytes), wayMs));
    const listener = createServer(near => {
        const far = createConnection(server.port, '127.0.0.1');
        for (const [one, other] of [[near, far], [far, near]]) {
            one.setNoDelay(true);
            one.on('error', () => {});
            one.on('close', () => other.destroy());
            late(one, other);
        }
    });
    await new Promise(resolve => listener.listen(0, '127.0.0.1', resolve));
    const {port} = listener.address();
    return {port, url: `http://127.0.0.1:${port}`, stop: () => listener.close()};
}
