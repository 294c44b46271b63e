/** A page: its own server hands what it asks of the service on to the sandbox. */
import * as library from 'email-marketing-client';
import { scenario } from './scenario.mjs';

globalThis.run = () => scenario(library, location.origin);
