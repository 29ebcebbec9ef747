import type { DehydratedState } from '@tanstack/react-query'
import { createContext } from 'react'
import type { HydrationState } from 'react-router'
import type { PageAssets } from '#contract/page.ts'

/** What the server knew when it rendered, as the JSON block of the page: the browser starts from it and asks nothing twice. */
export type PageState = {
  assets: PageAssets
  origin: string
  /** Of the footer's copyright line: the server's, so that both sides write the same. */
  year: number
  /** Of which the page is made, as its routes name them. */
  modules: readonly string[]
  router: Pick<HydrationState, 'loaderData' | 'errors'>
  queries: DehydratedState
}

export const STATE_ID = 'state'

type DocumentFacts = Pick<PageState, 'assets' | 'origin' | 'year'>

/** The bundle's files, linked in the head; the shop's own origin, for addresses that must be absolute; the year. */
export const DocumentContext = createContext<DocumentFacts>({
  assets: { early: '', app: '', parts: [], styles: [], fonts: [] },
  origin: '',
  year: 0,
})
