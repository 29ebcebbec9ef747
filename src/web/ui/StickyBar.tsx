import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { usePageMark } from './use-page-mark.ts'

/** For phones and tablets, while the main button is out of sight. After the page, not within: its buttons repeat others. */
export function StickyBar({ label, children }: { label: string; children: ReactNode }) {
  usePageMark('buy-bar')
  return createPortal(
    <section
      aria-label={label}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] shadow-[0_-10px_30px_-18px_rgb(29_27_25/0.45)] transition-transform duration-300 ease-quiet short:hidden lg:hidden starting:translate-y-full"
    >
      <div className="shell flex items-center gap-3 py-1.5">{children}</div>
    </section>,
    document.body,
  )
}
