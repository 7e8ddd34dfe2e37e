// What the page asks the server.

export class Refused extends Error {}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is it still running?");
  }
  const body = await answer.json().catch(() => null);
  if (answer.ok && body !== null) return body;
  const wait = answer.headers.get("Retry-After");
  const told = body?.error ?? `The server answered with status ${answer.status}.`;
  throw new Refused(wait && answer.status === 429 ? `${told} (in ${wait} s)` : told);
}

export const models = () => ask("api/v1/models");
export const languages = () => ask("languages");
export const settings = () => ask("frontend/settings");

export function picture(asked, signal) {
  const headers = { "Content-Type": "application/json" };
  return ask("api/v1/picture", { method: "POST", headers, body: JSON.stringify(asked), signal });
}
