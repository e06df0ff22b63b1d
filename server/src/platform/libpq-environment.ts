// The environment variables by which libpq and its clients, such as psql, protect a connection. The address alone decides here: one that is
// set beside an address that says nothing of the same would be passed over in silence, or would be read by the driver in another way.

/** The parameter of the address that a variable stands for. */
const parameterOf = {
  PGSSLMODE: 'sslmode',
  PGREQUIRESSL: 'sslmode',
  PGSSLROOTCERT: 'sslrootcert',
  PGSSLCERT: 'sslcert',
  PGSSLKEY: 'sslkey',
  PGSSLNEGOTIATION: 'sslnegotiation',
  PGCHANNELBINDING: 'channel_binding',
} as const

const hasParameter = (address: string, name: string) =>
  new URLSearchParams(address.slice(address.indexOf('?') + 1)).has(name)

/**
 * Returns what is wrong with these variables, by the name of each that is set and whose parameter an address lacks. As in libpq, a parameter
 * of the address wins.
 * @param addresses of databases that are connected to.
 */
export function libpqProblems(env: NodeJS.ProcessEnv, addresses: readonly string[]): (readonly [string, string])[] {
  return Object.entries(parameterOf).flatMap(([variable, parameter]) => {
    const isSet = (env[variable] ?? '') !== ''
    if (!isSet || addresses.every((address) => hasParameter(address, parameter))) return []
    return [[variable, `is not read: add ${parameter}=… to the address of the database, or unset it`] as const]
  })
}
