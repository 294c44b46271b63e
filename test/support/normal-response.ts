// The responses of a healthy service, from the table of operations.
import { rows } from '../endpoints.ts';
import { errorBody } from './faults.ts';
import { responseText } from './operation-row.ts';

const trailingIdentifier = /\/(?:[a-z]+_)*[A-Za-z0-9]{22}$/;

/** Returns the response of a healthy service; "resource not found" if the request is of no operation. */
export function normalResponse(request: { readonly method: string; readonly path: string }): string {
  const path = request.path.replace(trailingIdentifier, '/{identifier}');
  const row = rows.find(each => each.method === request.method && each.path === path);
  return row ? responseText(row) : errorBody('resource not found');
}
