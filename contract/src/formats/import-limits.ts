// How much one import of users takes. The console has these without the shapes.

/** The largest body of an import that answers each line. */
export const importBytesMax = 256 * 1024 * 1024

/** The largest body of an import job, and the most lines in it; the description of the operation names both. */
export const importJobBytesMax = 64 * 1024 * 1024
export const importJobLinesMax = 250_000
