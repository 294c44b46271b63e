import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/** Returns a function that styles text for a stream: on a terminal, unless `NO_COLOR` is set. */
export function stylesFor(stream: NodeJS.WriteStream): (style: Style, text: string) => string {
  const colored = stream.isTTY === true && !process.env.NO_COLOR;
  return (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text);
}
