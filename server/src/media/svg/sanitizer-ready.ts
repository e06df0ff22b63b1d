/** What a thread says first: from then on its time is that of documents. */
export const ready = 'ready'
