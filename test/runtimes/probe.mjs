/** Makes two calls per address in the runtime under test: a write that is not idempotent, and a listing. */
export async function probe({ EmailMarketingClient }, addresses) {
  const results = [];
  for (const [fault, baseUrl] of JSON.parse(addresses)) {
    const client = new EmailMarketingClient({
      baseUrl,
      apiKey: 'k',
      timeout: fault.startsWith('stalled') ? 3_000 : 30_000,
      logLevel: 'off',
      dangerouslyAllowBrowser: true,
    });
    for (const [call, run] of [
      ['write', () => client.events.record({ name: 'n', identifier: 'ada@example.com', data: {} })],
      ['listing', () => client.senders.list()],
    ]) {
      const result = await run().safe();
      const { name, outcome, attempts } = result.error ?? { name: 'success', attempts: [] };
      results.push({ fault, call, name, outcome, attempts: attempts.length, reason: attempts[0]?.reason });
    }
  }
  return results;
}
