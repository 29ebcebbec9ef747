import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, lazy, Suspense, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { itemCount } from '#domain/cart/cart.ts'
import { assert } from '#shared/assert.ts'
import type { CartLineId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { cartQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useToast } from '#web/ui/toast.tsx'
import { cartTotal } from './cart-total.ts'
import { clearBackup, useBackup } from './use-backup.ts'

/** Several quick clicks on plus become one request; the last one counts. */
const CLICK_DEBOUNCE_MS = 300

export type LineRequest = { productId: number; variantId: number | null; quantity?: number }

export type Cart = {
  lines: readonly CartLine[]
  /** Pieces, not lines. */
  count: number
  total: Cents
  /** Until the first answer came. */
  isPending: boolean
  isError: boolean
  /** Asks the shop again. */
  refetch: () => Promise<void>
  isOpen: boolean
  openCart: () => void
  closeCart: () => void
  /** @throws ApiError, or the browser's error when no answer came; the cart is as it was */
  add: (wanted: LineRequest) => Promise<void>
  /** Shows the new quantity at once; 0 takes the line out, with an undo. A refusal puts it back and says so at the line. */
  setQuantity: (line: CartLine, quantity: number) => void
  /** Takes the line out, whatever its quantity, with the same undo. */
  remove: (line: CartLine) => void
  /** Until every click so far has reached the shop; what it refused is told at its line. */
  settle: () => Promise<void>
  clear: () => Promise<void>
  /** Sentences about lines whose change did not go through. */
  troubles: ReadonlyMap<CartLineId, string>
  /** Lines that wait for the shop's answer. */
  changing: ReadonlySet<CartLineId>
}

/** What never changes: a list of many cards is not drawn anew because the cart has come. */
type CartActions = Pick<Cart, 'add' | 'openCart'>

const CartContext = createContext<Cart | undefined>(undefined)
const CartActionsContext = createContext<CartActions | undefined>(undefined)
const CartDrawer = lazy(async () => ({ default: (await import('./CartDrawer.tsx')).CartDrawer }))

/** @throws Bug outside of CartProvider */
export function useCart(): Cart {
  const cart = use(CartContext)
  assert(cart, 'useCart must be used within CartProvider')
  return cart
}

/** @throws Bug outside of CartProvider */
export function useCartActions(): CartActions {
  const actions = use(CartActionsContext)
  assert(actions, 'useCartActions must be used within CartProvider')
  return actions
}

/** A change that waits for more clicks, or for the shop's answer. */
type Change = { timer: ReturnType<typeof setTimeout>; sendNow: () => Promise<void> } | { answered: Promise<void> }

/** What a press asks for. Minus at 1 asks for quantity 0; the remove button deletes the line (specification, section 7). */
type QuantityRequest = { quantity: number; isRemoval: boolean }

const NO_LINES: readonly CartLine[] = []

export function CartProvider({ children }: { children: ReactNode }) {
  const api = useApi()
  const queries = useQueryClient()
  const { toast } = useToast()
  const { data: lines = NO_LINES, isPending, isError } = useQuery(cartQuery)
  const [isOpen, setIsOpen] = useState(false)
  const [isDrawerNeeded, setDrawerNeeded] = useState(false)
  const [troubles, setTroubles] = useState<ReadonlyMap<CartLineId, string>>(new Map())
  const [changing, setChanging] = useState<ReadonlySet<CartLineId>>(new Set())
  const waiting = useRef(new Map<CartLineId, Change>())

  const lastPut = useRef<Promise<unknown>>(Promise.resolve())

  const refetch = useCallback(() => queries.invalidateQueries({ queryKey: cartQuery.queryKey }), [queries])
  const isConfirmed = useCallback(() => waiting.current.size === 0, [])

  /**
   * Sent one after the other, and after the shop's first answer: of two sessions that began at once the browser would keep one, and an
   * answer from before would show, or fill again, a cart that has changed.
   */
  const addLine = useCallback(
    (body: LineRequest) => {
      const answered = lastPut.current.then(async () => {
        await queries.ensureQueryData(cartQuery).catch(() => undefined)
        await api('POST /api/cart', { body })
      })
      lastPut.current = answered.catch(() => undefined)
      return answered
    },
    [api, queries],
  )
  useBackup({ lines, isPending, changing, isConfirmed, refetch, addLine })

  const openCart = useCallback(() => {
    setDrawerNeeded(true)
    setIsOpen(true)
  }, [])
  const closeCart = useCallback(() => setIsOpen(false), [])

  const add = useCallback(
    async (wanted: LineRequest) => {
      await addLine({ quantity: 1, ...wanted })
      await refetch()
    },
    [addLine, refetch],
  )

  const ask = useCallback(
    async (line: CartLine, { quantity, isRemoval }: QuantityRequest): Promise<void> => {
      setChanging((before) => new Set([...before, line.id]))
      const params = { id: line.id }
      try {
        await (isRemoval
          ? api('DELETE /api/cart/:id', { params })
          : api('PUT /api/cart/:id', { params, body: { quantity } }))
        if (queries.getQueryData(cartQuery.queryKey)?.length === 0) clearBackup()
      } catch (error) {
        setTroubles((before) => new Map([...before, [line.id, sentenceOf(error)]]))
      }
      setChanging((before) => new Set([...before].filter((id) => id !== line.id)))
      if ('answered' in (waiting.current.get(line.id) ?? {})) waiting.current.delete(line.id)
      // The shop's own list is shown again, unless the shopper has already changed something else.
      if (waiting.current.size === 0) await refetch()
    },
    [api, queries, refetch],
  )

  const send = useCallback(
    (line: CartLine, request: QuantityRequest): Promise<void> => {
      const answered = ask(line, request)
      waiting.current.set(line.id, { answered })
      return answered
    },
    [ask],
  )

  const change = useCallback(
    (line: CartLine, request: QuantityRequest) => {
      const { quantity } = request
      void queries.cancelQueries({ queryKey: cartQuery.queryKey })
      queries.setQueryData(cartQuery.queryKey, (before = []) =>
        quantity === 0
          ? before.filter(({ id }) => id !== line.id)
          : before.map((other) => (other.id === line.id ? { ...other, quantity } : other)),
      )
      setTroubles((before) => new Map([...before].filter(([id]) => id !== line.id)))

      const before = waiting.current.get(line.id)
      if (before && 'timer' in before) clearTimeout(before.timer)
      const sendNow = () => send(line, request)
      const timer = setTimeout(() => void sendNow(), quantity === 0 ? 0 : CLICK_DEBOUNCE_MS)
      waiting.current.set(line.id, { timer, sendNow })

      if (quantity > 0) return
      const putBack = async () => {
        try {
          await add({ productId: line.productId, variantId: line.variantId, quantity: line.quantity })
        } catch (error) {
          toast({ title: 'Error', description: sentenceOf(error), destructive: true })
        }
      }
      toast({ title: `${line.productName} removed`, action: { label: 'Undo', onAct: () => void putBack() } })
    },
    [queries, send, add, toast],
  )
  const setQuantity = useCallback(
    (line: CartLine, quantity: number) => change(line, { quantity, isRemoval: false }),
    [change],
  )
  const remove = useCallback((line: CartLine) => change(line, { quantity: 0, isRemoval: true }), [change])

  const settle = useCallback(async () => {
    const answers = [...waiting.current.values()].map((change) => {
      if ('answered' in change) return change.answered
      clearTimeout(change.timer)
      return change.sendNow()
    })
    await Promise.all(answers)
  }, [])

  const clear = useCallback(async () => {
    // What was clicked a moment ago would change a line that is gone.
    for (const change of waiting.current.values()) if ('timer' in change) clearTimeout(change.timer)
    waiting.current.clear()
    await api('DELETE /api/cart')
    clearBackup()
    queries.setQueryData(cartQuery.queryKey, [])
    await refetch()
  }, [api, queries, refetch])

  const cart = useMemo<Cart>(
    () => ({
      lines,
      count: itemCount(lines),
      total: cartTotal(lines),
      isPending,
      isError,
      refetch,
      isOpen,
      openCart,
      closeCart,
      add,
      setQuantity,
      remove,
      settle,
      clear,
      troubles,
      changing,
    }),
    [
      lines,
      isPending,
      isError,
      refetch,
      isOpen,
      openCart,
      closeCart,
      add,
      setQuantity,
      remove,
      settle,
      clear,
      troubles,
      changing,
    ],
  )

  const actions = useMemo<CartActions>(() => ({ add, openCart }), [add, openCart])

  return (
    <CartContext value={cart}>
      <CartActionsContext value={actions}>{children}</CartActionsContext>
      {isDrawerNeeded && (
        <Suspense>
          <CartDrawer />
        </Suspense>
      )}
    </CartContext>
  )
}
