ALTER TABLE "order_line" DROP CONSTRAINT "order_line_price_positive";--> statement-breakpoint
ALTER TABLE "shop_order" DROP CONSTRAINT "order_payment_status_known";--> statement-breakpoint
ALTER TABLE "shop_order" ALTER COLUMN "checkout_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_order" ALTER COLUMN "payment_key" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "order_line" ADD COLUMN "replaces_position" smallint;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "kind" text DEFAULT 'sale' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "replaces_id" integer;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "request_key" uuid;--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_replaces_id_shop_order_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shop_order_replaces_id_index" ON "shop_order" USING btree ("replaces_id") WHERE "shop_order"."replaces_id" is not null;--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_requestKey_unique" UNIQUE("request_key");--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_price_not_negative" CHECK ("order_line"."unit_price_cents" >= 0);--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "order_kind_known" CHECK ("shop_order"."kind" in ('sale', 'replacement', 'sample', 'gift'));--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "order_paid_unless_free" CHECK (("shop_order"."kind" = 'sale') = ("shop_order"."payment_key" is not null) and ("shop_order"."kind" = 'sale') = ("shop_order"."checkout_id" is not null)
        and ("shop_order"."kind" = 'sale') = ("shop_order"."payment_status" <> 'no_charge') and ("shop_order"."kind" = 'sale' or "shop_order"."total_cents" = 0));--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "order_replaces_as_replacement" CHECK (("shop_order"."kind" = 'replacement') = ("shop_order"."replaces_id" is not null));--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "order_payment_status_known" CHECK ("shop_order"."payment_status" in ('paid', 'partially_refunded', 'refunded', 'disputed', 'no_charge'));--> statement-breakpoint
-- The same rule as domain/orders/status.ts; a test compares them for every pair of states.
CREATE OR REPLACE FUNCTION order_status(payment_status text, fulfilment_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN payment_status = 'refunded' THEN CASE fulfilment_status WHEN 'returned' THEN 'returned' ELSE 'refunded' END
    WHEN fulfilment_status = 'waiting' THEN CASE WHEN payment_status IN ('partially_refunded', 'no_charge') THEN payment_status ELSE 'paid' END
    WHEN payment_status = 'partially_refunded' AND fulfilment_status = 'delivered' THEN 'partially_refunded'
    ELSE fulfilment_status
  END
$$;
