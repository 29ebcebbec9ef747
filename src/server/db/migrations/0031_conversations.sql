CREATE TABLE "conversation" (
	"id" serial PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"order_id" integer,
	"session_id" text,
	"name" text,
	"email" text,
	"subject" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"waiting_since" timestamp with time zone,
	"is_unread" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	CONSTRAINT "conversation_reference_unique" UNIQUE("reference"),
	CONSTRAINT "conversation_orderId_unique" UNIQUE("order_id"),
	CONSTRAINT "conversation_sessionId_unique" UNIQUE("session_id"),
	CONSTRAINT "conversation_state_known" CHECK ("conversation"."state" in ('waiting', 'answered', 'closed')),
	CONSTRAINT "conversation_waits" CHECK (("conversation"."state" = 'waiting') = ("conversation"."waiting_since" is not null))
);
--> statement-breakpoint
CREATE TABLE "conversation_message" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"conversation_id" integer NOT NULL,
	"author" text NOT NULL,
	"channel" text NOT NULL,
	"words" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"is_in_chat" boolean DEFAULT false NOT NULL,
	"mailed_at" timestamp with time zone,
	"sender" text,
	"email_id" text,
	"submission" uuid,
	CONSTRAINT "conversation_message_submission_unique" UNIQUE("submission"),
	CONSTRAINT "conversation_message_author_known" CHECK ("conversation_message"."author" in ('customer', 'shop', 'note')),
	CONSTRAINT "conversation_message_channel_known" CHECK ("conversation_message"."channel" in ('contact', 'chat', 'order', 'email', 'admin'))
);
--> statement-breakpoint
CREATE TABLE "conversation_photo" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" bigint NOT NULL,
	"body" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbound_mail" (
	"email_id" text PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_reply" (
	"id" serial PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"words" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_message" ADD CONSTRAINT "conversation_message_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_photo" ADD CONSTRAINT "conversation_photo_message_id_conversation_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_waiting" ON "conversation" USING btree ("waiting_since","id") WHERE "conversation"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "conversation_unread" ON "conversation" USING btree ("id") WHERE "conversation"."is_unread";--> statement-breakpoint
CREATE INDEX "conversation_of_person" ON "conversation" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "conversation_message_conversation_id_id_index" ON "conversation_message" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "conversation_message_unmailed" ON "conversation_message" USING btree ("conversation_id") WHERE "conversation_message"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "conversation_photo_message_id_index" ON "conversation_photo" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "inbound_mail_read_at_index" ON "inbound_mail" USING btree ("read_at");