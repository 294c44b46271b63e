// Starts nginx, HAProxy and Apache from small configurations, in front of a backend.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeCertificate } from '../runtimes/certificate.ts';
import { apache, haproxy, nginx, pathOf } from '../support/programs.ts';
import { errorPage, filterHeader } from './backend.ts';

/** Time after which a gateway stops waiting for the backend, in milliseconds. */
const gatewayTimeoutMs = 1_000;

/** Maximum size of a body, in bytes. Gateways reject a larger one with 413. */
const bodyLimitBytes = 4_000;

/** Milliseconds until a started gateway accepts connections. */
const startTimeoutMs = 60_000;

type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** Where a gateway listens, what it forwards to, and the folder of its files. */
interface Place {
  readonly folder: string;
  readonly port: number;
  readonly backend: number;
  readonly protocol: Protocol;
}

/** Requests after which nginx ends a connection. If each HTTP/2 connection ended after one, undici 8 would soon send nothing more. */
const requestsOfConnection: Readonly<Record<Protocol, number>> = { 'HTTP/1.1': 1, 'HTTP/2': 5 };

/**
 * Rejects five percent of all requests with 429, as HAProxy does. Each gateway sends the backend the protocol of the request.
 * An error is replaced by pages as operators write them: JSON with a time to wait, a file that is missing
 * (404), a static file in a named location, which allows only GET (405), and pages with their own status.
 */
const nginxConfiguration = ({ folder, port, backend, protocol }: Place) => `
  daemon off; user root; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors crit;
  events { worker_connections 256; }
  http {
    access_log off; client_max_body_size ${bodyLimitBytes};
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/temp;`).join(' ')}
    split_clients $request_id $refused { 5% 1; * 0; }
    split_clients $request_id $page { 20% /maintenance; 20% /50x.html; 20% @static; 20% @gone; * @failed; }
    upstream service { server 127.0.0.1:${backend}; keepalive 8; }
    server {
      listen 127.0.0.1:${port} ssl${protocol === 'HTTP/2' ? ' http2' : ''};
      ssl_certificate ${certificate(folder)}; ssl_certificate_key ${certificate(folder)};
      keepalive_requests ${requestsOfConnection[protocol]}; proxy_intercept_errors on; error_page 500 502 504 = $page;
      location = /50x.html { root ${folder}/missing; }
      location @static { root ${folder}; try_files /page.html =500; }
      location @gone { return 410; }
      location @failed { return 504; }
      location = /maintenance {
        internal; default_type application/json; add_header Retry-After 1 always;
        return 503 '{"status":"error","message":"maintenance"}';
      }
      location = /filtered { internal; return 403; }
      location / {
        if ($refused) { return 429; }
        proxy_pass http://service; proxy_http_version 1.1; proxy_read_timeout ${gatewayTimeoutMs}ms;
        proxy_set_header Connection ""; proxy_set_header X-Protocol $server_protocol;
      }
    }
  }`;

const haproxyConfiguration = ({ folder, port, backend, protocol }: Place) => `
global
  stats socket ${folder}/stats mode 600 level admin
defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server ${gatewayTimeoutMs}ms
frontend gateway
  bind 127.0.0.1:${port} ssl crt ${certificate(folder)} alpn ${protocol === 'HTTP/2' ? 'h2,http/1.1' : 'http/1.1'}
  option http-buffer-request
  http-request deny deny_status 413 if { req.body_size gt ${bodyLimitBytes} }
  http-request deny deny_status 429 if { rand(20) eq 0 }
  http-response return status 403 content-type text/html string "<html>" if { res.hdr(${filterHeader}) -m found }
  http-request set-header X-Protocol HTTP/%[req.ver]
  default_backend service
backend service
  server service 127.0.0.1:${backend}
`;

const apacheModules = ['mpm_event', 'authz_core', 'headers', 'http2', 'proxy', 'proxy_http', 'ssl'];

/** The page that replaces an error is looked up by a second request to the backend, with the headers of the first. */
const apacheConfiguration = ({ folder, port, backend, protocol }: Place) => `
  ServerName 127.0.0.1
  User www-data
  Group www-data
  PidFile ${folder}/pid
  ErrorLog ${folder}/errors
  LogLevel crit
  ${apacheModules.map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`).join('')}
  Listen 127.0.0.1:${port}
  Protocols ${protocol === 'HTTP/2' ? 'h2' : 'http/1.1'}
  SSLEngine on
  SSLCertificateFile ${certificate(folder)}
  LimitRequestBody ${bodyLimitBytes}
  RequestHeader set X-Protocol expr=%{SERVER_PROTOCOL}
  ProxyPass / http://127.0.0.1:${backend}/ timeout=${gatewayTimeoutMs / 1_000} retry=0
  ${[502, 503, 504].map(status => `ErrorDocument ${status} ${errorPage}\n`).join('')}
`;

/** How to write a gateway's file, start it, and let it read its file again. */
interface Kind {
  readonly program: Parameters<typeof pathOf>[0];
  readonly configuration: (place: Place) => string;
  readonly args: (file: string, folder: string) => readonly string[];
  readonly reload: NodeJS.Signals;
}

export const gateways = {
  nginx: {
    program: nginx,
    configuration: nginxConfiguration,
    args: (file, folder) => ['-p', folder, '-e', `${folder}/errors`, '-c', file],
    reload: 'SIGHUP',
  },
  HAProxy: {
    program: haproxy,
    configuration: haproxyConfiguration,
    args: file => ['-W', '-db', '-q', '-f', file],
    reload: 'SIGUSR2',
  },
  Apache: {
    program: apache,
    configuration: apacheConfiguration,
    args: file => ['-D', 'FOREGROUND', '-f', file],
    reload: 'SIGUSR1',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type GatewayName = keyof typeof gateways;

/** Path of the certificate of 127.0.0.1 with its key, in one file. */
export const certificate = (folder: string): string => join(folder, 'certificate.pem');

export class Gateway {
  readonly #kind: Kind;
  readonly #place: Place;
  #process: ChildProcess | undefined;

  constructor(name: GatewayName, place: Place) {
    this.#kind = gateways[name];
    this.#place = place;
    mkdirSync(place.folder, { recursive: true });
    const { cert, key, remove } = makeCertificate();
    writeFileSync(certificate(place.folder), Buffer.concat([cert, key]));
    remove();
    writeFileSync(join(place.folder, 'configuration'), this.#kind.configuration(place));
    writeFileSync(join(place.folder, 'page.html'), '<html>');
  }

  async start(): Promise<void> {
    const { folder, port } = this.#place;
    const { program, args } = this.#kind;
    const started = spawn(pathOf(program), args(join(folder, 'configuration'), folder), { stdio: 'inherit' });
    this.#process = started;
    const end = performance.now() + startTimeoutMs;
    while (!(await accepts(port))) {
      if (started.exitCode !== null || performance.now() > end)
        throw new Error(`${program.name} did not start`);
      await delay(20);
    }
  }

  async stop(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.kill('SIGTERM')) await once(this.#process, 'exit');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  reload(): void {
    this.#process?.kill(this.#kind.reload);
  }

  /** Closes the connections to the backend while requests wait for responses, which only HAProxy can. */
  shutDownSessions(): void {
    if (this.#kind.program !== haproxy) return;
    const commands = connect(join(this.#place.folder, 'stats')).on('error', () => {});
    commands.end('shutdown sessions server service/service\n');
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
