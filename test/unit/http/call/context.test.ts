import { expect, test } from 'vitest';
import { connect, type Endpoint } from '../../../../src/http/call/context.ts';

test.each([
  [
    'https://api.example.com/api/v1/rest',
    'https://api.example.com',
    'api.example.com',
    ':443',
    '/api/v1/rest',
  ],
  ['http://localhost/api/v1', 'http://localhost', 'localhost', ':80', '/api/v1'],
  ['http://[::1]:8080/api', 'http://[::1]:8080', '[::1]:8080', '', '/api'],
  ['https://api.example.com:443', 'https://api.example.com', 'api.example.com', ':443', ''],
  ['https://api.example.com/a/b/', 'https://api.example.com', 'api.example.com', ':443', '/a/b'],
])(
  'an interface at %s has the origin, host, port and path of its URL',
  (baseUrl, origin, host, defaultPort, basePath) => {
    const endpoint = { baseUrl, query: 'team_id=7' } as Endpoint;
    const address = host + defaultPort;
    expect(connect(endpoint)).toEqual({ ...endpoint, origin, host, address, basePath });
  },
);
