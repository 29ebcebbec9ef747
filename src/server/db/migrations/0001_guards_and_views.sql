-- The ledger is append-only. Rights cannot hold that on the embedded database, which has one user; a trigger can.
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: book a posting that reverses it';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_posting_append_only BEFORE UPDATE OR DELETE ON ledger_posting
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
-- A posting whose entries do not sum to zero cannot be committed.
CREATE FUNCTION check_posting_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE total bigint;
BEGIN
  SELECT coalesce(sum(amount_cents), 0) INTO total FROM ledger_entry WHERE posting_id = NEW.posting_id;
  IF total <> 0 THEN
    RAISE EXCEPTION 'posting % does not balance: its entries sum to %', NEW.posting_id, total;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entry_balances AFTER INSERT ON ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_posting_balances();
--> statement-breakpoint
-- The same rule as domain/orders/status.ts; a test compares them for every pair of states.
CREATE FUNCTION order_status(payment_status text, fulfilment_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN payment_status = 'refunded' THEN CASE fulfilment_status WHEN 'returned' THEN 'returned' ELSE 'refunded' END
    WHEN fulfilment_status = 'waiting' THEN CASE payment_status WHEN 'partially_refunded' THEN 'partially_refunded' ELSE 'paid' END
    WHEN payment_status = 'partially_refunded' AND fulfilment_status = 'delivered' THEN 'partially_refunded'
    ELSE fulfilment_status
  END
$$;
--> statement-breakpoint
-- What an auditor reads. Amounts in cents; shipping includes surcharges; total = subtotal + shipping + tax + vat protection.
CREATE VIEW audit_checkouts AS
  SELECT c.id, c.created_at, c.state, c.currency, c.subtotal_cents, c.shipping_cents, c.surcharge_cents, c.tax_cents,
         c.vat_protection_cents, c.total_cents, c.country, c.provider, c.provider_payment_id, o.id AS order_id
  FROM checkout c LEFT JOIN shop_order o ON o.checkout_id = c.id;
--> statement-breakpoint
CREATE VIEW audit_orders AS
  SELECT id, order_number, checkout_id, payment_key, order_status(payment_status, fulfilment_status) AS status,
         payment_status, fulfilment_status, currency, subtotal_cents, shipping_cents, tax_cents, vat_protection_cents,
         total_cents, external_id, printful_order_id, customer_email, created_at, updated_at
  FROM shop_order;
--> statement-breakpoint
CREATE VIEW audit_lines AS
  SELECT order_id, product_id, variant_id, quantity, unit_price_cents FROM order_line;
--> statement-breakpoint
CREATE VIEW audit_payments AS
  SELECT p.payment_key, p.provider, p.payment_id, p.status, p.amount_cents, p.currency, p.live, p.checkout_id, o.id AS order_id
  FROM payment p LEFT JOIN shop_order o ON o.payment_key = p.payment_key;
--> statement-breakpoint
CREATE VIEW audit_refunds AS
  SELECT id, payment_key, provider_refund_id, amount_cents, status, created_at FROM refund;
--> statement-breakpoint
CREATE VIEW audit_ledger AS
  SELECT e.posting_id, e.account, e.amount_cents, p.order_id, p.payment_key, p.partner_id, p.booked_at
  FROM ledger_entry e JOIN ledger_posting p ON p.id = e.posting_id;
--> statement-breakpoint
CREATE VIEW audit_exceptions AS
  SELECT id, kind, payment_key, order_id, amount_cents, opened_at, resolved_at FROM payment_exception;
--> statement-breakpoint
CREATE VIEW audit_events AS
  SELECT provider, event_id, type, received_at, processed_at, outcome FROM provider_event;
--> statement-breakpoint
CREATE VIEW audit_mails AS
  SELECT id, kind, recipient, order_id, state, sent_at FROM mail;
