import { counted, UsageError } from '../command-line.ts';
import { ask, isInteractive, print } from '../terminal.ts';
import type { Choices, Job } from './job.ts';
import { type Answer, answersTyped, type Question } from './questions.ts';

export const nothingSent = (): UsageError => new UsageError('Nothing was sent.', 'confirmation');

/** Asks on a terminal; elsewhere, gathers the questions, to name all of them in one error. */
export class Dialogue {
  readonly #job: Job;
  readonly #open: Question[] = [];
  hasAsked = false;

  constructor(job: Job) {
    this.#job = job;
  }

  /** Asks one question after the other. Where nobody is there, goes on with the first answer to find out what else is open. */
  async settle(questions: readonly Question[], choices: Choices): Promise<Choices> {
    const { context, flags } = this.#job;
    const canAsk = isInteractive(context) && flags.yes !== true;
    let answered = choices;
    for (const question of questions) {
      const [first] = question.answers;
      this.hasAsked = true;
      if (canAsk) answered = await this.#ask(question, answered);
      else if (typeof first?.choose === 'function') answered = first.choose(answered);
      if (!canAsk) this.#open.push(question);
    }
    return answered;
  }

  async #ask(question: Question, choices: Choices): Promise<Choices> {
    let answered = choices;
    const answers = await this.#answersTo(question);
    for (const { choose } of answers)
      if (typeof choose === 'object') answered = await this.#ask(choose, answered);
      else answered = choose?.(answered) ?? answered;
    return question.chooseAll?.(answers.map(({ name }) => name))(answered) ?? answered;
  }

  /** Asks until what was typed is an answer. */
  async #answersTo(question: Question): Promise<readonly Answer[]> {
    const { context } = this.#job;
    const { title, prompt, answers, note = '' } = question;
    const lines = answers.map(({ key, text }) => (text === '' ? '' : `${key}  ${text}`));
    print(context, [...title.split('\n'), ...[...lines, note].filter(Boolean).map(line => `  ${line}`)]);
    for (;;) {
      const typed = await ask(context, `${prompt}:`);
      // Enter and the end of the input stop: what is shortest to type permits nothing.
      if (typed === undefined || typed === '') throw nothingSent();
      const chosen = answersTyped(typed, question);
      if (chosen !== undefined) return chosen;
      print(context, [`${JSON.stringify(typed)} is no answer; Enter stops, and sends nothing.`]);
    }
  }

  /** @throws UsageError with all that is open. */
  requireAnswered(): void {
    const { context, flags } = this.#job;
    if (this.#open.length === 0) return;
    if (!flags.json)
      print(
        context,
        this.#open.flatMap(({ title, pass, answers, note = '' }) => [
          ...`Question: ${title}`.split('\n'),
          `  To answer it, ${pass}`,
          ...[...answers.map(({ text }) => text), note].filter(Boolean).map(text => `    ${text}`),
        ]),
      );
    const where = flags.json ? '' : ' (see above)';
    throw new UsageError(
      `nothing was sent, because of ${counted(this.#open.length, 'question')} that only you can answer${where}`,
      'confirmation',
      this.#open.map(({ title, pass, answers, note }) => ({
        question: title.replaceAll('\n', ' '),
        pass,
        note,
        answers: answers.map(
          ({ text, choose, data }) => data ?? { text, ...(typeof choose === 'function' && choose({})) },
        ),
      })),
    );
  }
}
