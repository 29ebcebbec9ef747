import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { say } from '#words/say.ts'
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
  // Until it is known.
  const [isInTheWay, setIsInTheWay] = useState(true)
  useEffect(() => {
    // No part of the first script: there is time.
    const watching = import('./covers.ts').then(({ watchCovered }) => watchCovered(button, setIsInTheWay))
    return () => void watching.then((stop) => stop())
  }, [])
  const isPaying = useLeavingCheckout()
  if (isPaying) return null
  return (
    <aside
      aria-label={say('Support')}
      className={classNames(
        'fixed right-3 bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-40 noscript:hidden xl:right-0.5 min-[87.5rem]:right-5 [[data-buy-bar]_&]:max-lg:hidden [[data-menu]_&]:hidden',
        // Where it would always lie beside goods and sums: at their end.
        !isOpen &&
          'max-md:[[data-chat-last]_&]:static max-md:[[data-chat-last]_&]:mt-8 max-md:[[data-chat-last]_&]:mr-3 max-md:[[data-chat-last]_&]:ml-auto',
      )}
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
        aria-label={say('Chat with us')}
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
