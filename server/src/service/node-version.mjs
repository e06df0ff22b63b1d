// Plain JavaScript, like cli.mjs: a Node that this refuses cannot even load TypeScript.

/** The oldest major version that runs TypeScript without compiling and has every feature that is used. */
const nodeMajorMin = 24

/**
 * Returns what to tell somebody who starts the service on a Node that is too old; undefined if it is not.
 * @param {string} version such as `v24.21.0`
 * @returns {string | undefined}
 */
export function refusedNode(version) {
  const major = Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)
  if (major >= nodeMajorMin) return undefined
  return `Bailiwick runs on Node.js ${nodeMajorMin}; this is ${version}. Start it with npm ("npm start"), which brings its own.`
}
