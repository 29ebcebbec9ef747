import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  lazy,
  Suspense,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import type { CartLine } from '#contract/cart.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { itemCount } from '#domain/cart/cart.ts'
import { assert } from '#shared/assert.ts'
import type { CartLineId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { cartQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useToast } from '#web/ui/toast.tsx'
import { cartTotal } from './cart-total.ts'
import { clearBackup, useBackup } from './use-backup.ts'

/** Quick clicks become one request, with the last quantity. */
const CLICK_DEBOUNCE_MS = 300

export type LineRequest = { productId: number; variantId: number | null; quantity?: number }

export type Cart = {
  lines: readonly CartLine[]
  /** Sum of quantities. */
  count: number
  total: Cents
  isPending: boolean
  isError: boolean
  refetch: () => Promise<void>
  isOpen: boolean
  openCart: () => void
  closeCart: () => void
  /**
   * @returns its line
   * @throws ApiError, or the browser's error when there was no answer; the cart is then unchanged
   */
  add: (line: LineRequest) => Promise<CartLine>
  /** Optimistic; 0 removes the line, with an undo. A refusal restores the line and shows an error there. */
  setQuantity: (line: CartLine, quantity: number) => void
  /** Removes the line, with an undo. */
  remove: (line: CartLine) => void
  /** Resolves when all changes so far are saved or refused. */
  settle: () => Promise<void>
  clear: () => Promise<void>
  /** Sentences for lines whose change failed. */
  errors: ReadonlyMap<CartLineId, string>
  /** A change of a line is being sent. */
  isChanging: boolean
}

/**
 * Subscribed to rather than given by context: a context that changes while parts of the page still wait for their script has React
 * throw away what the server sent of them.
 */
type CartStore = {
  get: () => Cart
  /** What the server knew, for parts of the page that start later. */
  getFirst: () => Cart
  set: (cart: Cart) => void
  subscribe: (onChange: () => void) => () => void
}

const CartContext = createContext<CartStore | undefined>(undefined)
const CartDrawer = lazy(async () => ({ default: (await import('./CartDrawer.tsx')).CartDrawer }))

function useCartStore(): CartStore {
  const store = use(CartContext)
  assert(store, 'The cart must be used within CartProvider')
  return store
}

/** @throws Bug outside of CartProvider */
export function useCart(): Cart {
  const { subscribe, get, getFirst } = useCartStore()
  return useSyncExternalStore(subscribe, get, getFirst)
}

/**
 * Without following the cart's changes, so that product cards do not rerender with them.
 *
 * @throws Bug outside of CartProvider
 */
export const useCartActions = (): Pick<Cart, 'add' | 'openCart'> => useCartStore().get()

/** A change that is debounced, or in flight. */
type Change = { timer: ReturnType<typeof setTimeout>; sendNow: () => Promise<void> } | { response: Promise<void> }

/** Minus at 1 sends quantity 0; the remove button deletes the line (specification, section 7). */
type QuantityRequest = { quantity: number; isRemoval: boolean }

const NO_LINES: readonly CartLine[] = []

export function CartProvider({ children }: { children: ReactNode }) {
  const api = useApi()
  const queries = useQueryClient()
  const { toast, dismiss } = useToast()
  const { data: lines = NO_LINES, isPending, isError } = useQuery(cartQuery)
  /** Unset before it was opened first, which loads the drawer. */
  const [isOpen, setIsOpen] = useState<boolean>()
  const [errors, setErrors] = useState<ReadonlyMap<CartLineId, string>>(new Map())
  const [isChanging, setChanging] = useState(false)
  const pendingChanges = useRef(new Map<CartLineId, Change>())

  const lastSent = useRef<Promise<unknown>>(Promise.resolve())

  useEffect(() => {
    if (location.hash.startsWith('#said=')) void import('./link-message.ts').then((one) => one.showLinkMessage(toast))
  }, [toast])

  const refetch = useCallback(() => queries.invalidateQueries({ queryKey: cartQuery.queryKey }), [queries])
  const isConfirmed = useCallback(() => pendingChanges.current.size === 0, [])

  /** Changes are sent one at a time, so that the last one made is the last one saved. */
  const inTurn = useCallback(<Result,>(send: () => Promise<Result>): Promise<Result> => {
    const response = lastSent.current.then(send)
    lastSent.current = response.catch(() => undefined)
    return response
  }, [])

  /**
   * Sent after the first cart response: parallel first requests would start two sessions, and an earlier response would overwrite a
   * changed cart.
   */
  const addLine = useCallback(
    (body: LineRequest) =>
      inTurn(async () => {
        await queries.ensureQueryData(cartQuery).catch(() => undefined)
        return api('POST /api/cart', { body })
      }),
    [api, inTurn, queries],
  )
  useBackup({ lines, isPending, isChanging, isConfirmed, refetch, addLine })

  const openCart = useCallback(() => {
    // What a message said of the cart can now be seen.
    dismiss()
    setIsOpen(true)
  }, [dismiss])
  const closeCart = () => setIsOpen(false)

  const add = useCallback(
    async (line: LineRequest) => {
      const added = await addLine({ quantity: 1, ...line })
      await refetch()
      return added
    },
    [addLine, refetch],
  )

  /** @param isLast whether the line was not changed again meanwhile */
  const sendRequest = async (
    { id }: CartLine,
    { quantity, isRemoval }: QuantityRequest,
    isLast: () => boolean,
  ): Promise<void> => {
    setChanging(true)
    const params = { id }
    try {
      await (isRemoval
        ? api('DELETE /api/cart/:id', { params })
        : api('PUT /api/cart/:id', { params, body: { quantity } }))
      if (queries.getQueryData(cartQuery.queryKey)?.length === 0) clearBackup()
    } catch (error) {
      if (isLast()) setErrors((before) => new Map([...before, [id, sentenceOf(error)]]))
    }
    setChanging(false)
    if (isLast()) pendingChanges.current.delete(id)
    // Show the saved cart, unless the shopper has already changed something else.
    if (pendingChanges.current.size === 0) await refetch()
  }

  const send = (line: CartLine, request: QuantityRequest): Promise<void> => {
    const isLast = () => pendingChanges.current.get(line.id) === sent
    const sent: Change = { response: inTurn(() => sendRequest(line, request, isLast)) }
    pendingChanges.current.set(line.id, sent)
    return sent.response
  }

  const change = (line: CartLine, request: QuantityRequest) => {
    const { quantity } = request
    void queries.cancelQueries({ queryKey: cartQuery.queryKey })
    queries.setQueryData(cartQuery.queryKey, (before = []) =>
      quantity === 0
        ? before.filter(({ id }) => id !== line.id)
        : before.map((other) => (other.id === line.id ? { ...other, quantity } : other)),
    )
    setErrors((before) => new Map([...before].filter(([id]) => id !== line.id)))

    const before = pendingChanges.current.get(line.id)
    if (before && 'timer' in before) clearTimeout(before.timer)
    const sendNow = () => send(line, request)
    const timer = setTimeout(() => void sendNow(), quantity === 0 ? 0 : CLICK_DEBOUNCE_MS)
    pendingChanges.current.set(line.id, { timer, sendNow })

    if (quantity > 0) return
    const undo = async () => {
      try {
        await add({ productId: line.productId, variantId: line.variantId, quantity: line.quantity })
      } catch (error) {
        toast({ title: say('Error'), description: sentenceOf(error), destructive: true })
      }
    }
    toast({
      title: say('{name} removed', { name: spokenName(line.productName) }),
      action: { label: say('Undo'), onAct: () => void undo() },
    })
  }
  const setQuantity = (line: CartLine, quantity: number) => change(line, { quantity, isRemoval: false })
  const remove = (line: CartLine) => change(line, { quantity: 0, isRemoval: true })

  const settle = async () => {
    const responses = [...pendingChanges.current.values()].map((change) => {
      if ('response' in change) return change.response
      clearTimeout(change.timer)
      return change.sendNow()
    })
    await Promise.all(responses)
  }

  const clear = async () => {
    // Pending changes would apply to lines that are gone.
    for (const change of pendingChanges.current.values()) if ('timer' in change) clearTimeout(change.timer)
    pendingChanges.current.clear()
    await inTurn(() => api('DELETE /api/cart'))
    clearBackup()
    queries.setQueryData(cartQuery.queryKey, [])
    await refetch()
  }

  const cart: Cart = {
    lines,
    count: itemCount(lines),
    total: cartTotal(lines),
    isPending,
    isError,
    refetch,
    isOpen: isOpen === true,
    openCart,
    closeCart,
    add,
    setQuantity,
    remove,
    settle,
    clear,
    errors,
    isChanging,
  }
  // No ref is read: the cart’s functions do, when they are called.
  // oxlint-disable-next-line react/refs
  const [store] = useState(() => storeOf(cart))
  useLayoutEffect(() => store.set(cart))

  return (
    <CartContext value={store}>
      {children}
      {isOpen !== undefined && (
        <Suspense>
          <CartDrawer />
        </Suspense>
      )}
    </CartContext>
  )
}

function storeOf(first: Cart): CartStore {
  let cart = first
  const listeners = new Set<() => void>()
  return {
    get: () => cart,
    getFirst: () => first,
    set: (changed) => {
      cart = changed
      for (const onChange of listeners) onChange()
    },
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}
