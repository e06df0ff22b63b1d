// The proxies that deploy/ has samples for, started with these samples, whose addresses and certificates alone are replaced.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** The host name in the samples and in the certificate. */
export const proxyHost = 'id.example.com'

export interface Ports {
  readonly proxy: number
  readonly nodes: readonly [number, number]
}

export interface Proxy {
  /** The file that the proxy prints to. */
  readonly output: string
  readonly exited: Promise<number | null>
  kill(): void
}

type Command = (folder: string, ports: Ports) => readonly string[]

const sample = (path: string) => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')

/** Returns a sample with the addresses of this run. */
const adapted = (text: string, folder: string, { proxy, nodes }: Ports) =>
  text
    .replaceAll('node1:4000', `127.0.0.1:${nodes[0]}`)
    .replaceAll('node2:4000', `127.0.0.1:${nodes[1]}`)
    .replaceAll('listen 443', `listen 127.0.0.1:${proxy}`)
    .replaceAll('bind :443', `bind 127.0.0.1:${proxy}`)
    .replaceAll(/\/etc\/(?:nginx|haproxy)\/tls\//g, `${folder}/`)

/** nginx as it is without a word about failures and connections. */
const nginxDefaults = `upstream bailiwick { server node1:4000; server node2:4000; }
server {
  listen 443 ssl;
  ssl_certificate /etc/nginx/tls/fullchain.pem;
  ssl_certificate_key /etc/nginx/tls/privkey.pem;
  location / { proxy_pass http://bailiwick; proxy_set_header Host $http_host; }
}`

/** Returns the command for nginx with a part of a configuration. */
export function nginx(conf: string, folder: string, ports: Ports): readonly string[] {
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const format = `log_format failed '$msec access $request_method $status upstreams $upstream_addr statuses $upstream_status connect $upstream_connect_time answer $upstream_response_time';`
  // Its workers would otherwise lose the right to the folder that bodies wait in.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const whole = `${user} daemon off; pid ${folder}/nginx.pid; error_log stderr warn; events { worker_connections 4096; }
http { ${format} map $status $is_failed { ~^[45] 1; default 0; } access_log /dev/stderr failed if=$is_failed; ${paths} ${adapted(conf, folder, ports)} }`
  writeFileSync(file, whole)
  return ['nginx', '-p', folder, '-c', file]
}

export const proxies: Readonly<Record<string, Command>> = {
  nginx: (folder, ports) => nginx(sample('nginx/bailiwick.conf'), folder, ports),
  'nginx-defaults': (folder, ports) => nginx(nginxDefaults, folder, ports),
  haproxy(folder, ports) {
    const file = join(folder, 'haproxy.cfg')
    const logged = sample('haproxy/haproxy.cfg')
      .replace('maxconn 8000', 'maxconn 8000\n  log stdout format raw local0')
      .replace('mode http', 'mode http\n  log global\n  option httplog\n  option dontlog-normal')
    writeFileSync(file, adapted(logged, folder, ports))
    return ['haproxy', '-db', '-f', file]
  },
  caddy(folder, ports) {
    const file = join(folder, 'Caddyfile')
    const site = `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/caddy\n\tskip_install_trust\n}\nhttps://${proxyHost}:${ports.proxy} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`
    writeFileSync(file, adapted(sample('caddy/Caddyfile'), folder, ports).replace(/^\{\$BAILIWICK_DOMAIN.*\{$/m, site))
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file]
  },
}

function makeCertificate(folder: string) {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const subject = ['-subj', `/CN=${proxyHost}`, '-addext', `subjectAltName=DNS:${proxyHost}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  execFileSync(
    'openssl',
    ['req', '-x509', ...kind, '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...subject],
    { stdio: 'ignore' },
  )
  writeFileSync(join(folder, `${proxyHost}.pem`), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
}

const children: ChildProcess[] = []
const folders: string[] = []
after(() => {
  for (const child of children) child.kill('SIGTERM')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

/** Starts a proxy, which ends with the tests of the file. */
export function startProxy(command: Command, ports: Ports): Proxy {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-proxy-'))
  folders.push(folder)
  makeCertificate(folder)
  const [program = '', ...args] = command(folder, ports)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const output = join(folder, 'proxy.log')
  // Not a pipe, because Node's are sockets, which nginx cannot open as /dev/stderr.
  const writer = openSync(output, 'a')
  const child = spawn(program, args, { stdio: ['ignore', writer, writer], env })
  children.push(child)
  return {
    output,
    exited: new Promise((resolve) => void child.once('exit', resolve)),
    // Not SIGKILL, which nginx's workers outlive.
    kill: () => void child.kill('SIGTERM'),
  }
}
