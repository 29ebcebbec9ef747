ALTER TABLE "order_line" DROP CONSTRAINT "order_line_quantity_in_range";--> statement-breakpoint
ALTER TABLE "commission_entry" DROP CONSTRAINT "commission_entry_kind_known";--> statement-breakpoint
ALTER TABLE "order_change" ADD COLUMN "plan" jsonb;--> statement-breakpoint
ALTER TABLE "order_change" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_change" ADD COLUMN "resumes_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_change" ADD COLUMN "intent_id" text;--> statement-breakpoint
ALTER TABLE "order_change" ADD COLUMN "client_secret" text;--> statement-breakpoint
ALTER TABLE "order_change" ADD COLUMN "payment_key" text;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "change_id" bigint;--> statement-breakpoint
ALTER TABLE "order_change" ADD CONSTRAINT "order_change_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_change_id_order_change_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_change"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "order_change_awaiting" ON "order_change" USING btree ("order_id") WHERE "order_change"."state" = 'awaiting_payment';--> statement-breakpoint
ALTER TABLE "order_change" ADD CONSTRAINT "order_change_intentId_unique" UNIQUE("intent_id");--> statement-breakpoint
ALTER TABLE "order_change" ADD CONSTRAINT "order_change_paymentKey_unique" UNIQUE("payment_key");--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_quantity_in_range" CHECK ("order_line"."quantity" between 0 and 99);--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_kind_known" CHECK ("commission_entry"."kind" in ('sale', 'refund', 'refund_failed', 'dispute', 'dispute_won', 'own_purchase', 'change'));--> statement-breakpoint
-- Lines that a change removed stay with quantity 0, because books refer to them.
CREATE OR REPLACE VIEW audit_lines AS
  SELECT order_id, product_id, variant_id, quantity, unit_price_cents FROM order_line WHERE quantity > 0;
--> statement-breakpoint
-- An order has several payments when changes of it were paid.
CREATE OR REPLACE VIEW audit_payments AS
  SELECT p.payment_key, p.provider, p.payment_id, p.status, p.amount_cents, p.currency, p.live, p.checkout_id,
         coalesce(o.id, c.order_id) AS order_id
  FROM payment p
  LEFT JOIN shop_order o ON o.payment_key = p.payment_key
  LEFT JOIN order_change c ON c.payment_key = p.payment_key;
