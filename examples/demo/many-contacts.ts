import { bulk } from 'email-marketing-client';
import type { Demo } from './main.ts';

/** Reads every contact while some are deleted and changed, in two runs that a checkpoint links. */
export async function readAll({ client, sandbox, stage }: Demo): Promise<void> {
  stage.heading('Every contact, while some are deleted and changed');
  const { contacts } = sandbox.state;
  const before = contacts.all.map(({ id }) => id);
  const seen: string[] = [];
  const othersWork = () => {
    for (const contact of contacts.all.slice(-3)) contacts.update(contact, { company: 'Changed' });
    for (const { id } of contacts.all.slice(0, 3)) contacts.delete(id);
  };

  const firstRun = client.contacts.all();
  await stage.run(async () => {
    for await (const page of firstRun.pages()) {
      seen.push(...page.map(contact => contact.id));
      othersWork();
      if (seen.length >= 400) break; // the program is stopped here
    }
  });
  const { checkpoint } = firstRun;
  stage.print(`${seen.length} contacts, and a checkpoint of ${checkpoint?.length} characters`);

  await stage.run(async () => {
    for await (const page of client.contacts.all({}, { checkpoint }).pages()) {
      seen.push(...page.map(contact => contact.id));
      othersWork();
    }
  });
  const deleted = before.filter(id => !contacts.get(id));
  stage.print(`${seen.length} contacts; ${deleted.length} were deleted in the meantime`);
  const missed = before.filter(id => !deleted.includes(id) && !seen.includes(id));
  stage.check('no contact that still exists was missed', missed.length === 0 && deleted.length > 0);
  stage.check('no contact was read twice', new Set(seen).size === seen.length);
}

/** Changes many contacts with a few calls at a time. */
export async function changeMany({ client, sandbox, stage }: Demo): Promise<void> {
  stage.heading('Many calls, a few at a time');
  const emails = sandbox.state.contacts.all.slice(0, 300).map(({ email }) => email);
  const rows = [...emails, ...emails].map((email, index) => ({ email, company: `Company ${index}` }));
  const progress: string[] = [];
  const results = await stage.run(() =>
    bulk(rows, (row, { signal }) => client.legacy.identify(row, { signal }), {
      concurrency: 16,
      key: row => row.email, // one person's rows run in order
      onProgress: ({ done, perSecond }) => progress.push(`${done} done, ${Math.round(perSecond)} a second`),
    }).toArray(),
  );
  for (const text of progress.filter((_, index) => (index + 1) % 200 === 0)) stage.print(text);
  stage.check(`${rows.length} calls succeeded`, results.filter(({ ok }) => ok).length === rows.length);
  const company = (email: string) => sandbox.state.contacts.named(email)?.company;
  const inOrder = emails.every((email, index) => company(email) === `Company ${index + emails.length}`);
  stage.check("each person's second row came last", inOrder);
}
