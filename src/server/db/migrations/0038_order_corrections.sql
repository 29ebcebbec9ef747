CREATE TABLE "order_correction" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"made_by" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"corrected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "corrected_by_one_of_them" CHECK ("order_correction"."made_by" in ('shopper', 'owner'))
);
--> statement-breakpoint
ALTER TABLE "order_correction" ADD CONSTRAINT "order_correction_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_correction_order_id_index" ON "order_correction" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "correction_of_email" ON "order_correction" USING btree (lower("before"->>'email'));