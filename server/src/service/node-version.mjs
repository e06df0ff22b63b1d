// Plain JavaScript, as is cli.mjs: on the Node that this refuses, TypeScript cannot even be loaded.

/** The oldest major version that runs TypeScript as it is and has everything that is used. */
const nodeMajorMin = 24

/**
 * What to tell who starts the service on a Node that is too old; undefined on one that is not.
 * @param {string} version such as `v24.21.0`
 * @returns {string | undefined}
 */
export function refusedNode(version) {
  const major = Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)
  if (major >= nodeMajorMin) return undefined
  return `Bailiwick runs on Node.js ${nodeMajorMin}; this is ${version}. Start it with npm ("npm start"), which brings its own.`
}
