import { createContext, use } from 'react'
import { assert } from '#shared/assert.ts'
import type { Api } from './client.ts'

export const ApiContext = createContext<Api | undefined>(undefined)

/** @throws Bug outside of ApiContext */
export function useApi(): Api {
  const api = use(ApiContext)
  assert(api, 'useApi must be used within ApiContext')
  return api
}
