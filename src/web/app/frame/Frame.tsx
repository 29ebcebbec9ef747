import { lazy, Suspense, useRef, type ReactNode } from 'react'
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router'
import { say } from '#words/say.ts'
import { CartProvider } from '#web/cart/use-cart.tsx'
import { useOutOfView } from '#web/ui/use-out-of-view.ts'
import { isPaymentPage } from '#web/cart/use-leaving-checkout.ts'
import { ToastProvider } from '#web/ui/toast.tsx'
import { Document } from '../Document.tsx'
import { ADMIN_LAYOUT } from '../page-route.ts'
import { useScroll } from '../use-scroll.ts'
import { MainBar } from './MainBar.tsx'
import { SandboxRibbon } from './SandboxRibbon.tsx'
import { TopBar } from './TopBar.tsx'

// At the end of every page, or beside it: their script is loaded when nothing else is to do.
const Footer = import.meta.env.SSR
  ? (await import('./Footer.tsx')).Footer
  : lazy(async () => ({ default: (await import('./Footer.tsx')).Footer }))
const ChatButton = import.meta.env.SSR
  ? (await import('./ChatButton.tsx')).ChatButton
  : lazy(async () => ({ default: (await import('./ChatButton.tsx')).ChatButton }))

export function Frame() {
  const isAdmin = useMatches()[1]?.id === ADMIN_LAYOUT
  const isPayment = isPaymentPage(useLocation().pathname)
  return (
    <PageFrame isAdmin={isAdmin} hasOwnBars={isAdmin || isPayment}>
      <Outlet />
    </PageFrame>
  )
}

type Props = {
  isAdmin?: boolean
  /** The owner's pages and those of a payment bring their own. */
  hasOwnBars?: boolean
  children: ReactNode
}

export function PageFrame({ isAdmin = false, hasOwnBars, children }: Props) {
  useScroll()
  return (
    <Document isAdmin={isAdmin}>
      <ToastProvider>
        <CartProvider>
          <a
            href="#main"
            className="fixed top-2 left-2 z-50 -translate-y-20 rounded-card bg-charcoal px-4 py-3 font-semibold text-ivory focus:translate-y-0"
          >
            {say('Skip to content')}
          </a>
          <SandboxRibbon />
          <LoadingBar />
          {hasOwnBars ? (
            children
          ) : (
            <>
              <Header />
              <main id="main" tabIndex={-1} className="flex-1 outline-none">
                {children}
              </main>
              <Suspense>
                <ChatButton />
              </Suspense>
              <Suspense>
                <Footer />
              </Suspense>
            </>
          )}
        </CartProvider>
      </ToastProvider>
    </Document>
  )
}

function Header() {
  const top = useRef<HTMLDivElement>(null)
  const isTopGone = useOutOfView(top)
  return (
    // `contents`, so the main bar sticks to the page and not to the header.
    <header className="contents">
      <TopBar bar={top} hasCart={!isTopGone} />
      <MainBar hasCart={isTopGone} />
    </header>
  )
}

/** The delay hides it for pages that load quickly. */
function LoadingBar() {
  const isLoading = useNavigation().state === 'loading'
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-50 h-0.5">
      {isLoading && (
        <>
          <span className="sr-only">{say('Loading')}</span>
          <span className="block h-full origin-left bg-gold transition-transform delay-100 duration-1000 ease-quiet starting:scale-x-0" />
        </>
      )}
    </div>
  )
}
