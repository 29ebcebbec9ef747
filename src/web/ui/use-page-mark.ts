import { useLayoutEffect } from 'react'

/**
 * Marks the page's root while the component is shown, such as `html[data-buy-bar]`, for styles of what lies elsewhere. The mark is
 * needed because a rule with `:has` at the root makes the browser style the whole page again whenever anything in it changes.
 */
export function usePageMark(mark: 'buy-bar' | 'chat-last' | 'filter-bar' | 'menu', isOn = true): void {
  useLayoutEffect(() => {
    const set = (on: boolean) => void document.documentElement.toggleAttribute(`data-${mark}`, on)
    set(isOn)
    return () => set(false)
  }, [mark, isOn])
}
