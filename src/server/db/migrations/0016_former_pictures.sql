CREATE TABLE "former_picture" (
	"id" serial PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"url" text NOT NULL,
	"alt" text,
	"state" text NOT NULL,
	"file" text,
	"failure" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "former_picture_productId_url_unique" UNIQUE("product_id","url"),
	CONSTRAINT "former_picture_state_known" CHECK ("former_picture"."state" in ('waiting', 'stored', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "former_picture" ADD CONSTRAINT "former_picture_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_picture_open" ON "former_picture" USING btree ("state","product_id") WHERE "former_picture"."state" <> 'stored';