/* The page's connection, opened while the rest of the page is still on its way: by the time that is there, the server has
 * said who it is and who we are. A file of its own, so that it comes first. */

import { Connection } from "./connection.js";

const scheme = location.protocol === "https:" ? "wss" : "ws";

export const connection = new Connection(`${scheme}://${location.host}/ws`, localStorage);
connection.open();
