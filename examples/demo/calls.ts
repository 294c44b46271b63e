import {
  AuthenticationError,
  ConflictError,
  EmailMarketingClient,
  EmailMarketingError,
  queueAction,
} from 'email-marketing-client';
import type { Demo } from './main.ts';

/** Creates a contact. */
export async function signUp({ client, sandbox, stage }: Demo): Promise<void> {
  stage.heading('A sign-up');
  const { message } = await stage.run(() =>
    client.legacy.identify({ email: 'ada@example.com', firstName: 'Ada', tags: ['newsletter'] }),
  );
  stage.print(message);
  const ada = sandbox.state.contacts.named('ada@example.com');
  stage.check('the contact exists, with its tag', ada?.tagNames.includes('newsletter') ?? false);
}

/** Fails the first request, which the client retries. */
export async function retry({ client, sandbox, stage }: Demo): Promise<void> {
  stage.heading('The service is briefly down');
  sandbox.fail('senders.list', { status: 503, times: 1 });
  const senders = await stage.run(() => client.senders.list());
  const statuses = sandbox.requests.to('senders.list').map(({ status }) => status);
  stage.print(`responses: ${statuses.join(', ')}; ${senders.length} senders`);
  stage.check('the 503 was retried', statuses.join() === '503,200');
}

/** Loses the response of a write, which the client must not repeat. */
export async function loseResponse({ client, sandbox, stage }: Demo): Promise<void> {
  stage.heading('A response is lost on the way back');
  sandbox.drop('events.record', { acted: true, times: 1 });
  const result = await stage.run(() =>
    client.events.record({ name: 'Order placed', identifier: 'ada@example.com' }).safe(),
  );
  if (result.ok) return stage.check('the lost response is reported', false);
  stage.print(`${result.error.name}, outcome '${result.error.outcome}'`);
  const action = await stage.run(() => queueAction(result.error));
  stage.print(`'${action}': a person checks before the event is recorded again`);
  const recorded = sandbox.state.events.size === 1 && sandbox.requests.count('events.record') === 1;
  stage.check("the event is recorded once, and its outcome is 'unknown'", recorded && action === 'review');
}

/** Calls with a wrong key, and creates a tag that exists. */
export async function fail({ client, baseUrl, stage }: Demo): Promise<void> {
  stage.heading('Typed errors');
  const wrongKey = await stage.run(() =>
    new EmailMarketingClient({ baseUrl, apiKey: 'wrong-key-4711' }).tags.create({ name: 'vip' }).safe(),
  );
  const wrongKeyError = wrongKey.ok ? undefined : wrongKey.error;
  stage.print(`${wrongKeyError}`);
  stage.check('a wrong key is an AuthenticationError', AuthenticationError.isInstance(wrongKeyError));
  const isHidden =
    EmailMarketingError.isInstance(wrongKeyError) && !`${wrongKeyError.stack}`.includes('4711');
  stage.check('the error does not show the key', isHidden);

  const usedName = await stage.run(() => client.tags.create({ name: 'newsletter' }).safe());
  const usedNameError = usedName.ok ? undefined : usedName.error;
  stage.print(`${usedNameError}`);
  stage.check('a name that is in use is a ConflictError', ConflictError.isInstance(usedNameError));
}
