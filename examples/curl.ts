/** Prints each request as a curl command, with KEY and TEAM_ID in place of the secrets. Bodies contain personal data. */
import { EmailMarketingClient, type FetchFunction, type FetchInit } from 'email-marketing-client';

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a request as a curl command; KEY and TEAM_ID stand for the secrets. */
function curlOf(url: string, { method, headers, body }: FetchInit): string {
  const address = url.replace(/\bteam_id=[^&]*/, 'team_id=TEAM_ID');
  const lines = Object.entries(headers).map(([name, value]) => {
    const isPublic = /^(accept|content-type|user-agent)$/.test(name);
    return `-H ${quote(`${name}: ${isPublic ? value : 'KEY'}`)}`;
  });
  const data = typeof body === 'string' ? [`-d ${quote(body)}`] : [];
  return [`curl -X ${method} ${quote(address)}`, ...lines, ...data].join(' ');
}

const commands: string[] = [];
const fetchAndKeep: FetchFunction = (url, init) => {
  commands.push(curlOf(url, init));
  return fetch(url, init);
};

const client = new EmailMarketingClient({ fetch: fetchAndKeep });
await client.lists.create({ name: "Ada's list" });
console.log(commands.join('\n'));
