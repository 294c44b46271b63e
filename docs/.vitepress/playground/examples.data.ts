import { defineLoader } from 'vitepress';
import { type Example, examples } from './examples.ts';

/** The examples, as VitePress puts them into the page. */
declare const data: readonly Example[];

export { data };

export default defineLoader({ load: () => examples });
