/** A web page, whose server passes requests to the sandbox. */
import * as library from 'email-marketing-client';
import { scenario } from './scenario.mjs';

globalThis.run = () => scenario(library, location.origin);
