// Other spellings of a path, which routers, guards and proxies have read differently: double slashes, dots, escapes, parameters, whole
// URLs.

/** Other ways to write a path; a proxy in front may have let some of them pass. */
export function spellings(path: string, base = '/api/v0'): string[] {
  const rest = path.slice(base.length)
  const above = base.slice(0, base.lastIndexOf('/'))
  const last = path.slice(path.lastIndexOf('/') + 1)
  const upTo = path.slice(0, path.lastIndexOf('/'))
  return [
    `/${path}`,
    `/${base}${rest}`,
    `${above}//v0${rest}`,
    `${base}/${rest}`,
    `${upTo}//${last}`,
    `${path}/`,
    `${path}//`,
    `${path};x`,
    `${path};x=1`,
    `${base};x${rest}`,
    `${path}?`,
    `${path}#x`,
    `${path}%2f`,
    `${path}%20`,
    `${path}%00`,
    `${path}.json`,
    `${path}/.`,
    `${path}/..`,
    `${base}/%2e${rest}`,
    `${base}/x/%2e%2e${rest}`,
    `${base}/x/..${rest}`,
    `${base}/.%2e/v0${rest}`,
    `/livez/..${path}`,
    `/livez/%2e%2e${path}`,
    `/livez%2f..${path}`,
    `${base}/reference/..${rest}`,
    `${base}/reference/%2e%2e${rest}`,
    `${base}/openapi.json/..${rest}`,
    `${above}%2fv0${rest}`,
    `${base}%2f${rest.slice(1)}`,
    `${base.replace('a', '%61')}${rest}`,
    `${base}${rest.replaceAll('t', '%74')}`,
    `${base.replaceAll('/', '\\')}${rest}`,
    `${base}\\${rest.slice(1)}`,
    `${base.toUpperCase().replace('V0', 'v0')}${rest}`,
    path.toUpperCase(),
    `${above}/V0${rest}`,
    `${above}/v1${rest}`,
    `${base}.0${rest}`,
    `http://id.test${path}`,
    `http://localhost${path}`,
    `http://127.0.0.1${path}`,
    `HTTP://localhost:4000${path}`,
    `https://id.test/${path}`,
    `http://x@id.test${path}`,
    `ftp://id.test${path}`,
    'http://id.test',
    '*',
    '/',
    '',
  ]
}
