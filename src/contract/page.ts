import type { PublicConfig } from './public-config.ts'

/** The built bundle's files, as a page links them. `early` runs before the first paint; `app`, made of `parts`, after it. */
export type PageAssets = { early: string; app: string; parts: string[]; styles: string[]; fonts: string[] }

/** Asks one of the shop's own GET calls in process. @returns the status and the parsed body */
export type ShopRequest = (path: string) => Promise<{ status: number; body: unknown }>

/** One behind the other; what is the same on many pages is already in bytes. */
type PagePieces = readonly (string | Uint8Array)[]

/** What the renderer makes of an address. */
export type RenderedPage =
  | { kind: 'page'; status: number; html: PagePieces; cacheable: boolean }
  | { kind: 'redirect'; status: number; location: string }

export type PageRequest = {
  /** Path and query. */
  url: string
  /** Origin of links that must be absolute, such as canonical addresses. */
  origin: string
  ask: ShopRequest
  assets: (modules: readonly string[]) => PageAssets
  config: PublicConfig
}

/** What server and renderer agree on: the server loads the built bundle and calls this. */
export type Renderer = {
  /** Whether the page at an address is the same for every visitor. */
  isShared(path: string): boolean
  render(request: PageRequest): Promise<RenderedPage>
}
