import { splitLanguage } from '#shared/language.ts'
import { isPaymentPage } from '#web/cart/use-leaving-checkout.ts'
import type { LinkHandler } from './Link.tsx'

type Router = {
  navigate: (to: string, options: { replace: boolean; viewTransition?: boolean }) => Promise<void>
}

/**
 * Opens the shop's pages in this document. The browser handles everything else: new tabs, other sites, email links, and the
 * payment pages, which need a document with their own content security policy.
 */
export const navigateByLink =
  (router: Router): LinkHandler =>
  (event) => {
    const { currentTarget: link, button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return
    const here = splitLanguage(location.pathname)
    const there = splitLanguage(link.pathname)
    if (here.language !== there.language || isPaymentPage(here.path) || isPaymentPage(there.path)) return
    event.preventDefault()
    const to = `${there.path}${link.search}${link.hash}`
    // A card's picture moves to its page, where people have nothing against motion.
    const picture = link.closest('.card')?.querySelector<HTMLElement>('.card-plate')
    const isMoving = picture && !matchMedia('(prefers-reduced-motion: reduce)').matches
    if (isMoving) picture.style.viewTransitionName = 'product'
    // A link to the current page adds no history entry.
    void router.navigate(to, {
      ...(isMoving && { viewTransition: true }),
      replace: to === `${here.path}${location.search}${location.hash}`,
    })
  }
