/** The first message of a thread; the time limit of documents starts after it. */
export const ready = 'ready'
