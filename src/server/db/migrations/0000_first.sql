CREATE TABLE "app_user" (
	"id" serial PRIMARY KEY NOT NULL,
	"username" text NOT NULL,
	"shown_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"is_partner" boolean DEFAULT false NOT NULL,
	"is_owner" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "app_user_username_unique" UNIQUE("username")
);
--> statement-breakpoint
CREATE TABLE "cart_line" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"variant_id" bigint NOT NULL,
	"quantity" smallint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cart_line_sessionId_variantId_unique" UNIQUE("session_id","variant_id"),
	CONSTRAINT "cart_quantity_in_range" CHECK ("cart_line"."quantity" between 1 and 99)
);
--> statement-breakpoint
CREATE TABLE "checkout" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"state" text NOT NULL,
	"order_number" text NOT NULL,
	"quote_hash" text NOT NULL,
	"currency" text DEFAULT 'usd' NOT NULL,
	"country" text NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"surcharge_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"vat_protection_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"provider" text,
	"provider_payment_id" text,
	"client_secret" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "checkout_orderNumber_unique" UNIQUE("order_number"),
	CONSTRAINT "checkout_provider_providerPaymentId_unique" UNIQUE("provider","provider_payment_id"),
	CONSTRAINT "checkout_total_adds_up" CHECK ("checkout"."total_cents" = "checkout"."subtotal_cents" + "checkout"."shipping_cents" + "checkout"."tax_cents" + "checkout"."vat_protection_cents"),
	CONSTRAINT "checkout_surcharge_within_shipping" CHECK ("checkout"."surcharge_cents" <= "checkout"."shipping_cents"),
	CONSTRAINT "checkout_amounts_not_negative" CHECK ("checkout"."subtotal_cents" >= 0 and "checkout"."shipping_cents" >= 0 and "checkout"."surcharge_cents" >= 0 and "checkout"."tax_cents" >= 0 and "checkout"."vat_protection_cents" >= 0),
	CONSTRAINT "checkout_currency_usd" CHECK ("checkout"."currency" = 'usd'),
	CONSTRAINT "checkout_state_known" CHECK ("checkout"."state" in ('open', 'held', 'paid', 'exception', 'released'))
);
--> statement-breakpoint
CREATE TABLE "checkout_version" (
	"checkout_id" uuid NOT NULL,
	"quote_hash" text NOT NULL,
	"wish_hash" text NOT NULL,
	"frozen" jsonb NOT NULL,
	"frozen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "checkout_version_checkout_id_quote_hash_pk" PRIMARY KEY("checkout_id","quote_hash")
);
--> statement-breakpoint
CREATE TABLE "copied_picture" (
	"file" text PRIMARY KEY NOT NULL,
	"source_url" text NOT NULL,
	"content_type" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "copied_picture_sourceUrl_unique" UNIQUE("source_url")
);
--> statement-breakpoint
CREATE TABLE "ledger_entry" (
	"posting_id" bigint NOT NULL,
	"account" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "ledger_entry_posting_id_account_pk" PRIMARY KEY("posting_id","account"),
	CONSTRAINT "entry_not_zero" CHECK ("ledger_entry"."amount_cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_posting" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"order_id" integer,
	"payment_key" text,
	"partner_id" integer,
	"booked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_posting_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "mail" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"recipient_name" text,
	"order_id" integer,
	"about" text DEFAULT '' NOT NULL,
	"subject" text NOT NULL,
	"text_part" text NOT NULL,
	"html_part" text NOT NULL,
	"message_id" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "mail_messageId_unique" UNIQUE("message_id"),
	CONSTRAINT "mail_orderId_kind_about_unique" UNIQUE("order_id","kind","about"),
	CONSTRAINT "mail_state_known" CHECK ("mail"."state" in ('queued', 'sent', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "order_line" (
	"order_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"product_id" integer NOT NULL,
	"variant_id" bigint NOT NULL,
	"product_name" text NOT NULL,
	"variant_name" text,
	"image_url" text,
	"collection" text NOT NULL,
	"quantity" smallint NOT NULL,
	"unit_price_cents" bigint NOT NULL,
	CONSTRAINT "order_line_order_id_position_pk" PRIMARY KEY("order_id","position"),
	CONSTRAINT "order_line_quantity_in_range" CHECK ("order_line"."quantity" between 1 and 99),
	CONSTRAINT "order_line_price_positive" CHECK ("order_line"."unit_price_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "payment" (
	"payment_key" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"payment_id" text NOT NULL,
	"status" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"live" boolean NOT NULL,
	"checkout_id" uuid,
	"captured_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_provider_paymentId_unique" UNIQUE("provider","payment_id"),
	CONSTRAINT "payment_amount_not_negative" CHECK ("payment"."amount_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_exception" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payment_key" text NOT NULL,
	"order_id" integer,
	"amount_cents" bigint NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "payment_exception_paymentKey_unique" UNIQUE("payment_key")
);
--> statement-breakpoint
CREATE TABLE "payment_processing_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"payment_key" text NOT NULL,
	"payment_type" text NOT NULL,
	"payment_id" text NOT NULL,
	"status" text DEFAULT 'processing' NOT NULL,
	"processed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "payment_processing_log_paymentKey_unique" UNIQUE("payment_key")
);
--> statement-breakpoint
CREATE TABLE "product" (
	"id" integer PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"collection" text NOT NULL,
	"type" text NOT NULL,
	"badge" text,
	"rating" numeric(2, 1) DEFAULT 5 NOT NULL,
	"review_count" integer DEFAULT 0 NOT NULL,
	"metadata" jsonb NOT NULL,
	"requires_options" boolean DEFAULT false NOT NULL,
	"sync_product_id" bigint,
	"provider_product_id" bigint,
	"colours" jsonb NOT NULL,
	"visible" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_slug_unique" UNIQUE("slug"),
	CONSTRAINT "product_syncProductId_unique" UNIQUE("sync_product_id"),
	CONSTRAINT "product_providerProductId_unique" UNIQUE("provider_product_id"),
	CONSTRAINT "rating_in_scale" CHECK ("product"."rating" between 0 and 5),
	CONSTRAINT "review_count_not_negative" CHECK ("product"."review_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "product_picture" (
	"product_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"view" text NOT NULL,
	"colour" text,
	"file" text NOT NULL,
	"widths" integer[] NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	CONSTRAINT "product_picture_product_id_position_pk" PRIMARY KEY("product_id","position")
);
--> statement-breakpoint
CREATE TABLE "provider_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"processed_at" timestamp with time zone,
	"outcome" text,
	CONSTRAINT "provider_event_provider_eventId_unique" UNIQUE("provider","event_id")
);
--> statement-breakpoint
CREATE TABLE "refund" (
	"id" serial PRIMARY KEY NOT NULL,
	"payment_key" text NOT NULL,
	"provider_refund_id" text,
	"amount_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "refund_providerRefundId_unique" UNIQUE("provider_refund_id"),
	CONSTRAINT "refund_positive" CHECK ("refund"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipment" (
	"id" bigint PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"carrier" text NOT NULL,
	"service" text NOT NULL,
	"tracking_number" text,
	"tracking_url" text,
	"reshipment" boolean DEFAULT false NOT NULL,
	"items" jsonb NOT NULL,
	"shipped_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "shop_order" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_number" text NOT NULL,
	"checkout_id" uuid NOT NULL,
	"payment_key" text NOT NULL,
	"session_id" text NOT NULL,
	"payment_status" text NOT NULL,
	"fulfilment_status" text NOT NULL,
	"attention_reason" text,
	"currency" text DEFAULT 'usd' NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"vat_protection_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"customer_email" text NOT NULL,
	"customer_name" text NOT NULL,
	"customer_phone" text,
	"shipping_address" jsonb NOT NULL,
	"billing_address" jsonb,
	"collection" text NOT NULL,
	"external_id" text NOT NULL,
	"printful_order_id" bigint,
	"tracking_notification_sent" boolean DEFAULT false NOT NULL,
	"delivery_notification_sent" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "shop_order_orderNumber_unique" UNIQUE("order_number"),
	CONSTRAINT "shop_order_checkoutId_unique" UNIQUE("checkout_id"),
	CONSTRAINT "shop_order_paymentKey_unique" UNIQUE("payment_key"),
	CONSTRAINT "shop_order_externalId_unique" UNIQUE("external_id"),
	CONSTRAINT "shop_order_printfulOrderId_unique" UNIQUE("printful_order_id"),
	CONSTRAINT "order_total_adds_up" CHECK ("shop_order"."total_cents" = "shop_order"."subtotal_cents" + "shop_order"."shipping_cents" + "shop_order"."tax_cents" + "shop_order"."vat_protection_cents"),
	CONSTRAINT "order_amounts_not_negative" CHECK ("shop_order"."subtotal_cents" >= 0 and "shop_order"."shipping_cents" >= 0 and "shop_order"."tax_cents" >= 0 and "shop_order"."vat_protection_cents" >= 0),
	CONSTRAINT "order_currency_usd" CHECK ("shop_order"."currency" = 'usd'),
	CONSTRAINT "order_payment_status_known" CHECK ("shop_order"."payment_status" in ('paid', 'partially_refunded', 'refunded', 'disputed')),
	CONSTRAINT "order_fulfilment_status_known" CHECK ("shop_order"."fulfilment_status" in ('waiting', 'submitted', 'in_production', 'partially_shipped', 'shipped', 'delivered', 'on_hold', 'needs_attention', 'cancelled', 'returned'))
);
--> statement-breakpoint
CREATE TABLE "variant" (
	"id" bigint PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"catalog_variant_id" bigint NOT NULL,
	"position" smallint NOT NULL,
	"name" text NOT NULL,
	"colour" text,
	"size" text,
	"sku" text,
	"price_cents" bigint NOT NULL,
	"availability" text NOT NULL,
	"preview_url" text,
	"gone_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "variant_price_positive" CHECK ("variant"."price_cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "cart_line" ADD CONSTRAINT "cart_line_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_line" ADD CONSTRAINT "cart_line_variant_id_variant_id_fk" FOREIGN KEY ("variant_id") REFERENCES "public"."variant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_version" ADD CONSTRAINT "checkout_version_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_posting_id_ledger_posting_id_fk" FOREIGN KEY ("posting_id") REFERENCES "public"."ledger_posting"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_partner_id_app_user_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail" ADD CONSTRAINT "mail_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_variant_id_variant_id_fk" FOREIGN KEY ("variant_id") REFERENCES "public"."variant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_exception" ADD CONSTRAINT "payment_exception_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_exception" ADD CONSTRAINT "payment_exception_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_picture" ADD CONSTRAINT "product_picture_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipment" ADD CONSTRAINT "shipment_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variant" ADD CONSTRAINT "variant_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cart_line_variant_id_index" ON "cart_line" USING btree ("variant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_checkout_per_session" ON "checkout" USING btree ("session_id") WHERE "checkout"."state" = 'open';--> statement-breakpoint
CREATE INDEX "checkout_session_id_index" ON "checkout" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "checkout_open_since" ON "checkout" USING btree ("updated_at") WHERE "checkout"."state" = 'open';--> statement-breakpoint
CREATE INDEX "ledger_posting_order_id_index" ON "ledger_posting" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "ledger_posting_payment_key_index" ON "ledger_posting" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "ledger_posting_partner_id_index" ON "ledger_posting" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "ledger_posting_booked_at_index" ON "ledger_posting" USING btree ("booked_at");--> statement-breakpoint
CREATE INDEX "order_line_variant_id_index" ON "order_line" USING btree ("variant_id");--> statement-breakpoint
CREATE INDEX "order_line_product_id_index" ON "order_line" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "payment_checkout_id_index" ON "payment" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "payment_exception_order_id_index" ON "payment_exception" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "product_collection_index" ON "product" USING btree ("collection");--> statement-breakpoint
CREATE INDEX "refund_payment_key_index" ON "refund" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "session_user_id_index" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_seen_at_index" ON "session" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "shipment_order_id_index" ON "shipment" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "shop_order_created_at_index" ON "shop_order" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "shop_order_session_id_index" ON "shop_order" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "order_not_submitted" ON "shop_order" USING btree ("created_at") WHERE "shop_order"."fulfilment_status" = 'waiting';--> statement-breakpoint
CREATE INDEX "variant_product_id_position_index" ON "variant" USING btree ("product_id","position");