import { counted, UsageError } from '../command-line.ts';
import { ask, print } from '../terminal.ts';
import type { Choices, Job } from './job.ts';
import type { Answer, Question } from './questions.ts';

/** Returns whether somebody is there who can be asked. */
export const isInteractive = ({ context, flags }: Job): boolean =>
  context.stdin().isTTY === true && flags.yes !== true;

export const nothingSent = (): UsageError => new UsageError('Nothing was sent.', 'confirmation');

/** Asks on a terminal, one question after the other. */
export async function askAll(job: Job, questions: readonly Question[], choices: Choices): Promise<Choices> {
  let answered = choices;
  for (const question of questions) answered = await askOne(job, question, answered);
  return answered;
}

async function askOne(job: Job, question: Question, choices: Choices): Promise<Choices> {
  let answered = choices;
  for (const { choose } of await chosenAnswers(job, question))
    answered = typeof choose === 'function' ? choose(answered) : await askOne(job, choose, answered);
  return answered;
}

/** Asks until what was typed is an answer. */
async function chosenAnswers({ context }: Job, question: Question): Promise<readonly Answer[]> {
  const { title, prompt, answers, note, isInLine = false, isList = false } = question;
  const lines = answers.filter(({ text }) => text !== '').map(({ key, text }) => `${key}  ${text}`);
  if (!isInLine)
    print(context, [...title.split('\n'), ...[...lines, ...(note ? [note] : [])].map(line => `  ${line}`)]);
  for (;;) {
    const typed = await ask(context, isInLine ? `${title}   ${lines.join('   ')} :` : `${prompt}:`);
    // Enter and the end of the input stop: what is shortest to type permits nothing.
    if (typed === undefined || typed === '') throw nothingSent();
    const keys = [...new Set(typed.toLowerCase().match(/[^\s,;"]+/g))];
    const chosen = keys.flatMap(key => answers.find(answer => answer.key === key) ?? []);
    if (chosen.length > 0 && chosen.length === keys.length && (isList || chosen.length === 1)) return chosen;
    print(context, [`${JSON.stringify(typed)} is no answer; Enter stops, and sends nothing.`]);
  }
}

/** Returns an error with all that is open, for whoever cannot be asked. */
export function unanswered({ context, flags }: Job, questions: readonly Question[]): UsageError {
  if (!flags.json)
    print(
      context,
      questions.flatMap(({ title, pass, answers, note }) => [
        ...`Question: ${title}`.split('\n'),
        `  Without a terminal, ${pass}`,
        ...answers.flatMap(({ text }) => (text === '' ? [] : `    ${text}`)),
        ...(note ? [`    ${note}`] : []),
      ]),
    );
  const where = flags.json ? '' : ' (see above)';
  return new UsageError(
    `nothing was sent, because of ${counted(questions.length, 'question')} that only you can answer${where}`,
    'confirmation',
    questions.map(({ title, pass, answers, note }) => ({
      question: title.replaceAll('\n', ' '),
      pass,
      note,
      answers: answers.map(({ data }) => data),
    })),
  );
}
