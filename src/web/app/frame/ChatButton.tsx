import { lazy, Suspense, useEffect, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { useLeavingCheckout } from '#web/cart/use-leaving-checkout.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/Icon.tsx'

// Loaded only when somebody opens the chat.
const ChatPanel = lazy(async () => ({ default: (await import('#web/messages/ChatPanel.tsx')).ChatPanel }))

export function ChatButton() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // The button is hidden while the chat is open, so it can take the focus back only after it is shown again.
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const isInTheWay = useIsInTheWay(button)
  const isPaying = useLeavingCheckout()
  if (isPaying) return null
  return (
    <aside
      aria-label="Support"
      className="fixed right-3 bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-40 noscript:hidden xl:right-0.5 [:root:has([data-buy-bar])_&]:max-lg:hidden"
    >
      {isOpen && (
        <Suspense>
          <ChatPanel onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-label="Chat with us"
        hidden={isOpen}
        onClick={() => setIsOpen(true)}
        className={classNames(
          isInTheWay && 'invisible',
          'on-dark inline-grid size-11 place-items-center rounded-full border border-ivory/40 bg-charcoal text-ivory shadow-2xl transition-colors hover:bg-charcoal-soft',
        )}
      >
        <Icon name="chat" className="size-6" />
      </button>
    </aside>
  )
}

const SETTLED_MS = 150

/** Whether it would cover something to read or to press, once the page is at rest. */
function useIsInTheWay(button: RefObject<HTMLElement | null>): boolean {
  const { key } = useLocation()
  const [isInTheWay, setIsInTheWay] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      // No part of the first script: there is time.
      const { coversSomething } = await import('./covers.ts')
      setIsInTheWay(button.current !== null && coversSomething(button.current))
    }
    const lookLater = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void look(), SETTLED_MS)
    }
    const grown = new ResizeObserver(lookLater)
    grown.observe(document.body)
    addEventListener('scroll', lookLater, { passive: true })
    addEventListener('resize', lookLater)
    return () => {
      clearTimeout(timer)
      grown.disconnect()
      removeEventListener('scroll', lookLater)
      removeEventListener('resize', lookLater)
    }
  }, [button, key])
  return isInTheWay
}
