import { QueryClient } from '@tanstack/react-query'

/** The SDK tries again by itself where that can help. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, gcTime: 5 * 60_000 },
    // Neither is kept: what was sent may hold passwords, and what came back may hold keys.
    mutations: { retry: false, gcTime: 0 },
  },
})
