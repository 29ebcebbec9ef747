CREATE TABLE "data_request" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_note" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"author" text NOT NULL,
	"words" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_action" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" integer,
	"user_name" text NOT NULL,
	"address" text NOT NULL,
	"what" text NOT NULL,
	"about_kind" text NOT NULL,
	"about_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"taken_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_override" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"badge" text,
	"description" text,
	"place" smallint,
	"visible" boolean,
	"shipping_surcharge" jsonb,
	"restrictions" jsonb,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "shop_order_created_at_index";--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "place" smallint;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "in_file" jsonb;--> statement-breakpoint
UPDATE "product" SET "in_file" = jsonb_build_object('badge', badge, 'description', description, 'visible', visible, 'metadata', metadata);--> statement-breakpoint
ALTER TABLE "product" ALTER COLUMN "in_file" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_note" ADD CONSTRAINT "order_note_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_override" ADD CONSTRAINT "product_override_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_request_email_index" ON "data_request" USING btree ("email");--> statement-breakpoint
CREATE INDEX "data_request_expires_at_index" ON "data_request" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "order_note_order_id_index" ON "order_note" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "owner_action_about_kind_about_id_index" ON "owner_action" USING btree ("about_kind","about_id");--> statement-breakpoint
CREATE INDEX "shop_order_created_at_id_index" ON "shop_order" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "shop_order_fulfilment_status_created_at_id_index" ON "shop_order" USING btree ("fulfilment_status","created_at","id");--> statement-breakpoint
CREATE INDEX "order_email_alike" ON "shop_order" USING gin ("customer_email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "order_name_alike" ON "shop_order" USING gin ("customer_name" gin_trgm_ops);
--> statement-breakpoint
-- What the owner did stays written down. Rights cannot hold that on the embedded database, which has one user; a trigger can.
CREATE FUNCTION refuse_action_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log of actions is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER owner_action_append_only BEFORE UPDATE OR DELETE ON owner_action
  FOR EACH ROW EXECUTE FUNCTION refuse_action_change();
