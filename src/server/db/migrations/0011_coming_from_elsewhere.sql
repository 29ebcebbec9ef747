CREATE TABLE "redirect" (
	"id" serial PRIMARY KEY NOT NULL,
	"from_path" text NOT NULL,
	"to_path" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "redirect_fromPath_unique" UNIQUE("from_path")
);
--> statement-breakpoint
CREATE TABLE "past_order" (
	"id" serial PRIMARY KEY NOT NULL,
	"shop" text NOT NULL,
	"order_number" text NOT NULL,
	"customer_email" text NOT NULL,
	"customer_name" text,
	"placed_at" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"discount_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"imported_at" timestamp with time zone NOT NULL,
	CONSTRAINT "past_order_shop_orderNumber_unique" UNIQUE("shop","order_number"),
	CONSTRAINT "past_order_status_known" CHECK ("past_order"."status" in ('paid', 'partially_refunded', 'refunded', 'canceled')),
	CONSTRAINT "past_order_not_negative" CHECK ("past_order"."shipping_cents" >= 0 and "past_order"."tax_cents" >= 0 and "past_order"."discount_cents" >= 0 and "past_order"."total_cents" >= 0 and "past_order"."refunded_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "past_order_line" (
	"past_order_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"product_name" text NOT NULL,
	"sku" text,
	"quantity" integer NOT NULL,
	"total_cents" bigint NOT NULL,
	CONSTRAINT "past_order_line_past_order_id_position_pk" PRIMARY KEY("past_order_id","position"),
	CONSTRAINT "past_order_line_sane" CHECK ("past_order_line"."quantity" > 0 and "past_order_line"."total_cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "subscriber" ADD COLUMN "consent_source" text;--> statement-breakpoint
ALTER TABLE "past_order_line" ADD CONSTRAINT "past_order_line_past_order_id_past_order_id_fk" FOREIGN KEY ("past_order_id") REFERENCES "public"."past_order"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "past_order_customer_email_index" ON "past_order" USING btree ("customer_email");--> statement-breakpoint
CREATE INDEX "past_order_placed_at_index" ON "past_order" USING btree ("placed_at");