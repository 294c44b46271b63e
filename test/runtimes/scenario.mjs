/**
 * The scenario for every runtime: an iteration, an error, a retry, a timeout, an abort, exact nanoseconds and a secret.
 * Returns the results, which expected.ts compares.
 */
export async function scenario(library, baseUrl) {
  const { EmailMarketingClient, ConflictError, epochNanoseconds, increment } = library;
  const client = new EmailMarketingClient({
    baseUrl,
    apiKey: 'sandbox-key',
    teamId: 'sandbox-team',
    logLevel: 'off',
    dangerouslyAllowBrowser: true,
  });

  const emails = new Set();
  for await (const contact of client.contacts.all()) emails.add(contact.email);

  await client.tags.create({ name: 'vip' });
  const conflict = await client.tags.create({ name: 'vip' }).catch(error => error);
  const refused = await client.tags.delete('list_0123456789abcdefABCDEF').catch(error => error);
  const { data: senders, response } = await client.senders.list().withResponse();
  const late = await client.postTags.list({ timeout: 3_000, maxRetries: 0 }).catch(error => error);

  const domain = await client.domains.create({ name: 'mail.example.com' });
  const identified = await identifyTwice(client, increment(5));

  return {
    iterated: emails.size,
    error: [conflict.name, conflict.response.status, conflict.outcome, ConflictError.isInstance(conflict)],
    refusal: [refused.name, refused.outcome, refused.issues.length],
    retried: [senders.length, response.status],
    timeout: [late.name, late.outcome, late.limit, late.phase],
    cancelled: await cancelSoon(client),
    created: [domain.created, String(epochNanoseconds(domain.created))],
    points: identified.data.customFields.points,
    ...printed(domain.dkimConfig),
    leaks: [inspect(client), inspect(conflict), inspect(domain), JSON.stringify(domain)].some(text =>
      /sandbox-key|sandbox-team|PrivKey/.test(text),
    ),
  };
}

/** Aborts a call that gets no response; returns the reason that it rejects with. */
async function cancelSoon(client) {
  const controller = new AbortController();
  setTimeout(() => controller.abort('left'), 50);
  return client.postTags.list({ signal: controller.signal }).catch(reason => reason);
}

/** Increments a custom field of a contact twice, and adds a tag; returns the second response. */
async function identifyTwice(client, points) {
  const person = { email: 'ada+news@example.com', customFields: { points } };
  await client.legacy.identify(person);
  const identified = await client.legacy.identify(person);
  await client.legacy.track({ email: person.email, addTags: ['vip'] });
  return identified;
}

/** Returns the type of a member of the secret, and each printed form of the secret. */
function printed(secret) {
  return {
    secret: typeof JSON.parse(secret.reveal()).PrivKey,
    printed: [String(secret), JSON.stringify({ it: secret }), inspect(secret)],
  };
}

/** Returns a value as the runtime prints it. */
function inspect(value) {
  const { Deno, Bun, process } = globalThis;
  const print = Deno?.inspect ?? Bun?.inspect ?? process?.getBuiltinModule?.('node:util')?.inspect;
  return print ? print(value, { depth: 20 }) : `${value}`;
}
